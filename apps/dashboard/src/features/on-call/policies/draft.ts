/** An escalation policy as its form has it, and what is sent. Pure. */
import type { Policy, Target } from "../../../api/policy.ts"
import { nextKey } from "../../../forms/nextKey.ts"

/** A step with an identity, by which React keeps what is typed when others are removed. */
export interface StepDraft {
  readonly key: number
  readonly afterMinutes: number
  readonly notify: ReadonlyArray<Target>
}

export interface PolicyDraft {
  readonly name: string
  readonly steps: ReadonlyArray<StepDraft>
  readonly repeat: number
  readonly repeatAfterMinutes: number
  readonly acknowledgeTimeoutMinutes: number | null
  readonly onExhausted: Policy["onExhausted"]
}

export const draftOf = ({
  acknowledgeTimeoutMinutes,
  name,
  onExhausted,
  repeat,
  repeatAfterMinutes,
  steps
}: Policy): PolicyDraft => ({
  name,
  steps: steps.map(({ afterMinutes, notify }, key) => ({ key, afterMinutes, notify })),
  repeat,
  repeatAfterMinutes,
  acknowledgeTimeoutMinutes,
  onExhausted
})

/** One immediate step without targets. */
export const fresh: PolicyDraft = {
  name: "",
  steps: [{ key: 0, afterMinutes: 0, notify: [] }],
  repeat: 1,
  repeatAfterMinutes: 10,
  acknowledgeTimeoutMinutes: null,
  onExhausted: null
}

/** A further step, some minutes later. */
export const withStep = (steps: ReadonlyArray<StepDraft>): ReadonlyArray<StepDraft> => [
  ...steps,
  { key: nextKey(steps), afterMinutes: 10, notify: [] }
]

export const bodyOf = ({ name, steps, ...rest }: PolicyDraft) => ({
  ...rest,
  name: name.trim(),
  steps: steps.map(({ afterMinutes, notify }) => ({ afterMinutes, notify }))
})

/** Whether each step tells somebody. */
export const isWhole = ({ name, steps }: PolicyDraft): boolean =>
  name.trim() !== "" && steps.length > 0 && steps.every(({ notify }) => notify.length > 0)

/** A target as the id of an option. */
export const optionOf = ({ channelId, position, scheduleId, teamId, userId }: Target): string =>
  scheduleId !== undefined
    ? `${position === "next" ? "next" : "now"} ${scheduleId}`
    : userId !== undefined
      ? `user ${userId}`
      : teamId !== undefined
        ? `team ${teamId}`
        : `channel ${channelId ?? ""}`

/** The target of an option; undefined for an id of none. */
export const targetOf = (option: string): Target | undefined => {
  const [kind, id = ""] = option.split(" ", 2)
  switch (kind) {
    case "now":
      return { scheduleId: id } as Target
    case "next":
      return { scheduleId: id, position: "next" } as Target
    case "user":
      return { userId: id } as Target
    case "team":
      return { teamId: id } as Target
    case "channel":
      return { channelId: id } as Target
    default:
      return undefined
  }
}
