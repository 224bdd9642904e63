/** Escalation policies: the order in which people are paged about an alert until somebody answers. */
import { Schema } from "effect"
import type { Policy } from "./Escalation.ts"
import { ChannelId, ScheduleId, TeamId, UserId } from "./Ids.ts"

/** Most escalation policies of an organization. */
export const maxPolicies = 100

/** The longest wait between two steps, and between two rounds. */
const maxWaitMinutes = 1440
/** The longest time for which an acknowledgement holds, if it ends at all. */
const maxHoldMinutes = 10_080
const maxSteps = 20
const maxTargets = 50

const minutes = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const named = ["scheduleId", "userId", "teamId", "channelId"] as const

/** A target of a step: the person who is on call in a schedule, a person, everybody in a team, or a channel. */
const Target = Schema.Struct({
  scheduleId: Schema.optionalKey(ScheduleId.annotate({ description: "The person who is on call in this schedule" })),
  position: Schema.optionalKey(
    Schema.Literals(["now", "next"]).annotate({
      description: "With `scheduleId`: the person on call when the step runs (default), or the next person on call"
    })
  ),
  userId: Schema.optionalKey(UserId.annotate({ description: "This person" })),
  teamId: Schema.optionalKey(TeamId.annotate({ description: "Everybody in this team" })),
  channelId: Schema.optionalKey(ChannelId.annotate({ description: "This channel of a project of the organization" }))
})
  .check(
    Schema.makeFilter((target) => {
      if (named.filter((name) => target[name] !== undefined).length !== 1)
        return `Expected exactly one of ${named.join(", ")}`
      return target.position !== undefined && target.scheduleId === undefined
        ? "`position` needs `scheduleId`"
        : undefined
    })
  )
  .annotate({ identifier: "EscalationTarget" })
export type Target = typeof Target.Type

const Step = Schema.Struct({
  afterMinutes: minutes(0, maxWaitMinutes).annotate({
    description: "Minutes from when the step before ran; the first step: from the opening of the alert"
  }),
  notify: Schema.Array(Target)
    .check(Schema.isBetweenLength(1, maxTargets))
    .annotate({ description: "Its targets. A person who is named twice is told once" })
}).annotate({ identifier: "EscalationStep" })

/** The steps that an alert keeps; none where it has no policy. */
export const KeptSteps = Schema.Array(Step)

/** The steps of a policy. */
export const Steps = KeptSteps.check(Schema.isBetweenLength(1, maxSteps))
export type Steps = typeof Steps.Type

export const Repeat = minutes(0, 9)
export const RepeatAfterMinutes = minutes(1, maxWaitMinutes)
export const AcknowledgeTimeoutMinutes = minutes(1, maxHoldMinutes)

/** The channel that is told when the last round is over. */
export const OnExhausted = Schema.Struct({ channelId: ChannelId })
export type OnExhausted = typeof OnExhausted.Type

/** The fields of a policy that people set. */
export interface PolicyDraft {
  readonly key: string | null
  readonly name: string
  readonly steps: Steps
  /** Further rounds. */
  readonly repeat: number
  readonly repeatAfterMinutes: number
  readonly acknowledgeTimeoutMinutes: number | null
  readonly onExhausted: OnExhausted | null
}

/** The plan of a policy, as an alert keeps it from its opening on. */
export type PolicyPlan = Omit<PolicyDraft, "key" | "name">

/** A record that a policy names, and where. */
export interface Named {
  readonly path: string
  readonly kind: "schedule" | "user" | "team" | "channel"
  readonly id: string
}

/** Everything that a policy names, in its order. */
export const namedBy = ({ onExhausted, steps }: PolicyPlan): ReadonlyArray<Named> => [
  ...steps.flatMap(({ notify }, step) =>
    notify.map((target, index): Named => {
      const at = `steps[${step}].notify[${index}]`
      if (target.scheduleId !== undefined) return { path: `${at}.scheduleId`, kind: "schedule", id: target.scheduleId }
      if (target.userId !== undefined) return { path: `${at}.userId`, kind: "user", id: target.userId }
      return target.teamId === undefined
        ? { path: `${at}.channelId`, kind: "channel", id: target.channelId! }
        : { path: `${at}.teamId`, kind: "team", id: target.teamId }
    })
  ),
  ...(onExhausted === null
    ? []
    : [{ path: "onExhausted.channelId", kind: "channel" as const, id: onExhausted.channelId }])
]

/** The plan of an alert without a policy: only people who are asked for are paged. */
export const noPlan: PolicyPlan = {
  steps: [],
  repeat: 0,
  repeatAfterMinutes: 1,
  acknowledgeTimeoutMinutes: null,
  onExhausted: null
}

/** The parts of a policy by which an escalation is decided. */
export const decidingPart = (plan: PolicyPlan): Policy => ({
  steps: plan.steps,
  repeat: plan.repeat,
  repeatAfterMinutes: plan.repeatAfterMinutes,
  acknowledgeTimeoutMinutes: plan.acknowledgeTimeoutMinutes ?? undefined
})
