/** Problems of a region or a probe with their remedies, the worst first. Pure. */
import { t } from "../../locales/text.ts"
import { shortDuration } from "../../locales/time.ts"
import type { ProbeRecord, RegionRecord } from "./queries.ts"

export interface Trouble {
  readonly tone: "degraded" | "down"
  readonly says: string
}

export const troublesOfProbe = (
  { answers, clock, offline, version }: ProbeRecord,
  serverVersion: string | undefined
): ReadonlyArray<Trouble> => {
  if (!answers)
    return [
      {
        tone: "degraded",
        says: t("It does not answer. If it was just stopped, it disappears within seconds; otherwise restart it.")
      }
    ]
  const offset = shortDuration(Math.abs(clock?.offsetMillis ?? 0) / 1000)
  return [
    ...(offline === true
      ? [
          {
            tone: "down" as const,
            says: t("It is offline: its failed checks count as unknown. Look at the network of its machine.")
          }
        ]
      : []),
    ...(clock?.status === "wrong"
      ? [
          {
            tone: "down" as const,
            says: t("Its clock is off by {offset}: its results count as unknown. Set the clock of its machine.", {
              offset
            })
          }
        ]
      : []),
    ...(clock?.status === "corrected"
      ? [{ tone: "degraded" as const, says: t("Its clock is off by {offset}; times are corrected.", { offset }) }]
      : []),
    ...(serverVersion !== undefined && version !== serverVersion
      ? [{ tone: "degraded" as const, says: t("It runs another version than this server. Update it.") }]
      : [])
  ]
}

/** The effect of a region without probes, and the remedy; nothing while one is alive. */
export const absenceOf = ({ alive, lastSeenAt, monitors, onlyHere, region }: RegionRecord): ReadonlyArray<string> =>
  alive
    ? []
    : [
        onlyHere > 0
          ? t(
              "{count, plural, one {# monitor is checked only from here, so it is not checked now.} other {# monitors are checked only from here, so they are not checked now.}}",
              { count: onlyHere }
            )
          : monitors > 0
            ? t("Other regions go on checking its monitors.")
            : t("No monitor depends on it."),
        lastSeenAt === null
          ? t("Start a probe with KANMON_REGION={region}, or remove the region from KANMON_REGIONS.", { region })
          : t(
              "Look whether the process of the probe runs, reaches the message bus, and has a key that is valid. If the region is gone for good: kanmon region close {region}",
              { region }
            )
      ]
