/** Escalation policies as sentences. */
import type { Policy, Step, Target } from "../../../api/policy.ts"
import { listWords } from "../../../locales/lists.ts"
import { t } from "../../../locales/text.ts"
import { duration } from "../../../locales/time.ts"
import { strong } from "../../../ui/Emphasis.tsx"
import { personName } from "../words.ts"
import type { Directory } from "./queries.ts"

export type Plan = Pick<Policy, "steps" | "repeat" | "repeatAfterMinutes" | "acknowledgeTimeoutMinutes" | "onExhausted">

const nameIn = (records: ReadonlyArray<{ readonly id: string; readonly name: string }>, id: string | undefined) =>
  records.find((each) => each.id === id)?.name

export const channelName = ({ channels }: Directory, id: string | null | undefined): string =>
  nameIn(channels, id ?? undefined) ?? t("a channel that you do not see")

/** "the person on call in Shop" */
export const targetWords = (target: Target, directory: Directory): string => {
  const { people, schedules, teams } = directory
  if (target.scheduleId !== undefined) {
    const schedule = strong(nameIn(schedules, target.scheduleId) ?? t("a deleted schedule"))
    return target.position === "next"
      ? t("the next person in {schedule}", { schedule })
      : t("the person on call in {schedule}", { schedule })
  }
  if (target.userId !== undefined) return strong(personName(people, target.userId))
  if (target.teamId !== undefined)
    return t("everybody in {team}", { team: strong(nameIn(teams, target.teamId) ?? t("a deleted team")) })
  return t("the channel {channel}", { channel: strong(channelName(directory, target.channelId)) })
}

/** "At once", "10 minutes later" */
export const whenWords = ({ afterMinutes }: Pick<Step, "afterMinutes">, index: number): string => {
  if (afterMinutes === 0) return index === 0 ? t("At once") : t("At the same time")
  const length = duration(afterMinutes * 60)
  return index === 0 ? t("After {duration}", { duration: length }) : t("{duration} later", { duration: length })
}

/** "the person on call in Shop and everybody in SRE" */
export const stepWords = ({ notify }: Step, directory: Directory): string =>
  listWords(notify.map((target) => targetWords(target, directory)))

/** The text for the time after the last step. */
export const endWords = (
  { acknowledgeTimeoutMinutes, onExhausted, repeat, repeatAfterMinutes }: Plan,
  directory: Directory
): ReadonlyArray<readonly [when: string, what: string]> => {
  const wait = t("{duration} later", { duration: duration(repeatAfterMinutes * 60) })
  return [
    ...(repeat === 0
      ? []
      : [
          [
            wait,
            t("{count, plural, one {once more from the first step} other {# times more from the first step}}", {
              count: repeat
            })
          ] as const
        ]),
    [
      repeat === 0 ? wait : t("In the end"),
      onExhausted === null
        ? t("the owners of the organization")
        : t("the channel {channel}", { channel: strong(channelName(directory, onExhausted.channelId)) })
    ] as const,
    ...(acknowledgeTimeoutMinutes === null
      ? []
      : [
          [
            t("Acknowledged"),
            t("after {duration} the alert is open again, if it lasts", {
              duration: strong(duration(acknowledgeTimeoutMinutes * 60))
            })
          ] as const
        ])
  ]
}

/** The steps in one line. */
export const summaryWords = ({ steps }: Plan, directory: Directory): string =>
  steps.map((step, index) => `${whenWords(step, index)}: ${stepWords(step, directory)}.`).join(" ")
