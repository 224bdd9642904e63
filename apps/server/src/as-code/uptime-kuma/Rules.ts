/** Who is told of what: whoever was told of a monitor is told of it, by one rule for all that are told of alike. */
import { type Loose, text } from "./Backup.ts"
import { cut, type Draft } from "./Draft.ts"
import * as Monitors from "./Monitors.ts"
import { slugs } from "./Slugs.ts"

/** A record of theirs and what became of it. */
export interface Carried {
  readonly record: Loose
  readonly entries: ReadonlyArray<readonly [key: string, draft: Draft]>
}

/** The notifications of a monitor. */
const toldBy = (record: Loose): ReadonlyArray<string> => {
  const list = (record["notificationIDList"] ?? {}) as Readonly<Record<string, unknown>>
  return Object.keys(list).filter((id) => list[id] === true)
}

const byId = (channels: ReadonlyArray<Carried>): ReadonlyMap<string, Carried["entries"]> =>
  new Map(channels.map(({ entries, record }) => [text(record, "id"), entries]))

export const rulesOf = (
  monitors: ReadonlyArray<Carried>,
  channels: ReadonlyArray<Carried>
): ReadonlyArray<readonly [key: string, draft: Draft]> => {
  const channelsOf = byId(channels)
  const alike = Map.groupBy(
    monitors.flatMap(({ entries, record }) => {
      const to = toldBy(record).flatMap((id) => channelsOf.get(id) ?? [])
      // A rule without channels would tell all of them.
      return to.length === 0 ? [] : entries.map(([key]) => ({ key, to, ...Monitors.alertingOf(record) }))
    }),
    ({ consecutiveFailures, resendEvery, to }) =>
      JSON.stringify([to.map(([key]) => key).toSorted(), consecutiveFailures, resendEvery])
  )
  const slug = slugs("rule")
  return [...alike.values()].map((same): readonly [string, Draft] => {
    const { consecutiveFailures, resendEvery, to } = same[0]!
    const names = to.map(([, draft]) => String(draft["name"])).join(", ")
    const after = consecutiveFailures === 1 ? "" : ` (after ${consecutiveFailures} failures)`
    const rule = {
      name: `Down: ${cut(names, 150)}${after}`,
      monitors: same.map(({ key }) => key),
      channels: to.map(([key]) => key),
      trigger: "monitor_down",
      consecutiveFailures,
      ...(resendEvery === 0 ? {} : { resendEvery })
    }
    return [slug(`down ${to.map(([key]) => key).join(" ")}`), rule]
  })
}

/** Monitors that somebody was told of, and nobody is now. */
export const unheard = (monitors: ReadonlyArray<Carried>, channels: ReadonlyArray<Carried>): ReadonlyArray<Loose> => {
  const channelsOf = byId(channels)
  return monitors.flatMap(({ entries, record }) => {
    const told = toldBy(record)
    return entries.length > 0 && told.length > 0 && told.every((id) => (channelsOf.get(id) ?? []).length === 0)
      ? [record]
      : []
  })
}
