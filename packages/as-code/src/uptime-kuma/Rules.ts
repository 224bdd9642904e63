/** Converts notifications to alert rules: one rule for all monitors with the same notifications. */
import { type Loose, text } from "./Backup.ts"
import type { Draft } from "../Secret.ts"
import { cut } from "./Draft.ts"
import * as Monitors from "./Monitors.ts"
import { slugs } from "../Slugs.ts"

/** A record of theirs and what became of it. */
export interface Carried {
  readonly record: Loose
  readonly entries: ReadonlyArray<readonly [key: string, draft: Draft]>
  /** The monitors of a group that were carried over. */
  readonly members?: ReadonlyArray<Loose>
}

/** Failures in a row until the rule of a group alerts: it waits for the retries of each of its monitors. */
export const failuresOf = ({ members = [], record }: Carried): number =>
  Math.max(...[record, ...members].map((one) => Monitors.alertingOf(one).consecutiveFailures))

/** The notifications of a monitor. */
const toldBy = (record: Loose): ReadonlyArray<string> => {
  const list = (record["notificationIDList"] ?? {}) as Readonly<Record<string, unknown>>
  return Object.keys(list).filter((id) => list[id] === true)
}

const byId = (channels: ReadonlyArray<Carried>): ReadonlyMap<string, Carried["entries"]> =>
  new Map(channels.map(({ entries, record }) => [text(record, "id"), entries]))

/** A monitor, the channels of its alerts, and when they are sent. */
interface Alerted extends Monitors.Alerting {
  readonly key: string
  readonly to: Carried["entries"]
}

/** Rules for monitors, and for what is in groups that have notifications of their own. */
export const rulesOf = (
  monitors: ReadonlyArray<Carried>,
  channels: ReadonlyArray<Carried>,
  groups: ReadonlyArray<Carried> = []
): ReadonlyArray<readonly [key: string, draft: Draft]> => {
  const channelsOf = byId(channels)
  const alerted = (carried: Carried): ReadonlyArray<Alerted> => {
    const { entries, record } = carried
    const to = toldBy(record).flatMap((id) => channelsOf.get(id) ?? [])
    // A rule without channels would tell all of them.
    if (to.length === 0) return []
    const alerting = { ...Monitors.alertingOf(record), consecutiveFailures: failuresOf(carried) }
    return entries.map(([key]) => ({ key, to, ...alerting }))
  }
  const own = monitors.flatMap(alerted)
  const told = new Map(own.map(({ key, to }) => [key, new Set(to.map(([channel]) => channel))]))
  const ofGroups = groups
    .flatMap(alerted)
    // People whom the monitor itself notifies are not notified twice.
    .map((one) => ({ ...one, to: one.to.filter(([channel]) => told.get(one.key)?.has(channel) !== true) }))
    .filter(({ to }) => to.length > 0)
  const alike = Map.groupBy([...own, ...ofGroups], ({ consecutiveFailures, resendEvery, to }) =>
    JSON.stringify([to.map(([key]) => key).toSorted(), consecutiveFailures, resendEvery])
  )
  const slug = slugs("rule")
  return [...alike.values()].map((same): readonly [string, Draft] => {
    const { consecutiveFailures, resendEvery, to } = same[0]!
    const names = to.map(([, draft]) => String(draft["name"])).join(", ")
    const after = consecutiveFailures === 1 ? "" : ` (after ${consecutiveFailures} failures)`
    const rule = {
      name: `Down: ${cut(names, 150)}${after}`,
      monitors: [...new Set(same.map(({ key }) => key))],
      channels: to.map(([key]) => key),
      trigger: "monitor_down",
      consecutiveFailures,
      ...(resendEvery === 0 ? {} : { resendEvery })
    }
    return [slug(`down ${to.map(([key]) => key).join(" ")}`), rule]
  })
}

/** Monitors or groups with notifications of which none could be imported. */
export const unheard = (monitors: ReadonlyArray<Carried>, channels: ReadonlyArray<Carried>): ReadonlyArray<Carried> => {
  const channelsOf = byId(channels)
  return monitors.filter(({ entries, record }) => {
    const told = toldBy(record)
    return entries.length > 0 && told.length > 0 && told.every((id) => (channelsOf.get(id) ?? []).length === 0)
  })
}
