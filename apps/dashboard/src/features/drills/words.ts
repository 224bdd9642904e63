/** Drills in words. */
import type { DrillRecord, Report } from "../../api/drills.ts"
import { actorWords } from "../../locales/actors.ts"
import { nameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import type { Tone } from "../../ui/Status.tsx"

type Every = NonNullable<DrillRecord["every"]>

const everyWords: Readonly<Record<Every, () => string>> = {
  week: () => t("Every week"),
  month: () => t("Every month"),
  quarter: () => t("Every quarter")
}

export const everyWord = (every: Every): string => everyWords[every]()

const tones: Readonly<Record<DrillRecord["status"], Tone>> = {
  scheduled: "maintenance",
  running: "degraded",
  acknowledged: "up",
  exhausted: "down",
  stopped: "quiet",
  skipped: "degraded"
}

export const toneOf = ({ status }: Pick<DrillRecord, "status">): Tone => tones[status]

type Actor = DrillRecord["acknowledgedBy"]

/** Somebody who answers: with a link it is the person, or the channel, that it was sent to. */
const answerer = (actor: Actor): string => (actor?.kind === "link" ? actor.name : actorWords(actor))

const secondsBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 1000)

/** The outcome in one sentence. */
export const outcomeWords = ({ acknowledgedAt, acknowledgedBy, startedAt, status }: DrillRecord): string => {
  switch (status) {
    case "scheduled":
      return t("Scheduled")
    case "running":
      return t("Waits for an answer")
    case "acknowledged":
      return acknowledgedAt === null || startedAt === null
        ? t("Acknowledged by {name}", { name: answerer(acknowledgedBy) })
        : t("{name} acknowledged after {duration}", {
            name: answerer(acknowledgedBy),
            duration: duration(secondsBetween(startedAt, acknowledgedAt))
          })
    case "exhausted":
      return t("No one acknowledged")
    case "stopped":
      return t("Stopped before its end")
    case "skipped":
      return t("It did not begin")
  }
}

/** How many people were reached, in how long, and how much failed. */
export const reachedWords = ({ channels, people }: Pick<Report, "channels" | "people">): string => {
  const times = people.flatMap(({ reachedAfterSeconds }) => reachedAfterSeconds ?? [])
  const failed = [...people, ...channels].reduce((sum, one) => sum + one.failed.length, 0)
  return [
    people.length === 0
      ? ""
      : t("{reached} of {count, plural, one {# person} other {# people}} reached", {
          reached: times.length,
          count: people.length
        }),
    times.length === 0 ? "" : t("the first after {duration}", { duration: duration(Math.min(...times)) }),
    failed === 0 ? "" : t("{count, plural, one {# page failed} other {# pages failed}}", { count: failed })
  ]
    .filter(Boolean)
    .join(" · ")
}

type Person = Report["people"][number]

/** How a person was reached, and whether they answered. */
export const personWords = ({ answeredAfterSeconds, dropped, reachedAfterSeconds, reachedBy }: Person): string =>
  [
    reachedAfterSeconds === null
      ? t("Not reached")
      : reachedBy === null
        ? t("Reached after {duration}", { duration: duration(reachedAfterSeconds) })
        : t("Reached after {duration} by {method}", {
            duration: duration(reachedAfterSeconds),
            method: nameOf(reachedBy)
          }),
    answeredAfterSeconds === null ? "" : t("answered after {duration}", { duration: duration(answeredAfterSeconds) }),
    dropped === 0
      ? ""
      : t("{count, plural, one {# page was not needed} other {# pages were not needed}}", { count: dropped })
  ]
    .filter(Boolean)
    .join(" · ")

export const failureWords = ({ detail, methodType }: Person["failed"][number]): string =>
  [methodType === null ? t("Failed") : t("{method} failed", { method: nameOf(methodType) }), detail ?? ""]
    .filter(Boolean)
    .join(": ")
