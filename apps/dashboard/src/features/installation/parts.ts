/** The parts of an installation in words: their purpose, and the effect of a failure. */
import { t } from "../../locales/text.ts"
import { shortDuration } from "../../locales/time.ts"
import type { HealthRecord } from "./queries.ts"

export interface Part {
  readonly name: string
  readonly tone: "up" | "degraded" | "down" | "quiet"
  readonly says: string
}

const clockOf = ({ offsetMillis, status }: HealthRecord["clock"]): Pick<Part, "says" | "tone"> => {
  const offset = shortDuration(Math.abs(offsetMillis ?? 0) / 1000)
  switch (status) {
    case "ok":
      return { tone: "up", says: t("It agrees with the message bus.") }
    case "unknown":
      return { tone: "quiet", says: t("It was not compared with the message bus yet.") }
    case "corrected":
      return { tone: "degraded", says: t("It is off by {offset}; times are corrected.", { offset }) }
    case "wrong":
      return {
        tone: "down",
        says: t("It is off by {offset}: results count as unknown. Set the clock of the server.", { offset })
      }
  }
}

const outboxOf = (outbox: HealthRecord["outbox"]): Pick<Part, "says" | "tone"> => {
  switch (outbox) {
    case "ok":
      return { tone: "up", says: t("Messages leave at once.") }
    case "late":
      return { tone: "degraded", says: t("Messages wait for the message bus.") }
    case "refused":
      return { tone: "down", says: t("The message bus refuses messages. See below.") }
  }
}

export const partsOf = (health: HealthRecord): ReadonlyArray<Part> => [
  {
    name: t("Database"),
    ...(health.database === "down"
      ? { tone: "down", says: t("It does not answer. Nothing is lost: results wait on the message bus.") }
      : { tone: "up", says: t("It answers.") })
  },
  {
    name: t("Message bus"),
    ...(health.bus === "down"
      ? { tone: "down", says: t("It does not answer. Probes keep their results and send them later.") }
      : { tone: "up", says: t("It answers.") })
  },
  {
    name: t("Checks"),
    ...(health.scheduler === "late"
      ? { tone: "down", says: t("They are late: the server has too little processor time.") }
      : { tone: "up", says: t("They are on time.") })
  },
  { name: t("Outbox"), ...outboxOf(health.outbox) },
  {
    name: t("Network"),
    ...(health.connectivity === "offline"
      ? { tone: "degraded", says: t("This server is offline: failed checks count as unknown.") }
      : { tone: "up", says: t("This server is connected.") })
  },
  { name: t("Clock"), ...clockOf(health.clock) },
  {
    name: t("Results"),
    ...(health.stale === null || health.stale === 0
      ? { tone: "up", says: t("No monitor waits for a result that is overdue.") }
      : {
          tone: "degraded",
          says: t(
            "{count, plural, one {# monitor waits for a result that is overdue.} other {# monitors wait for results that are overdue.}}",
            { count: health.stale }
          )
        })
  }
]
