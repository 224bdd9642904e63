/** The maintenance windows of a database: which monitors they are for, and the tags that say so. */
import { type Backup, type Loose, nameOf, text } from "./Backup.ts"
import type { Note } from "./Draft.ts"
import { isGroup, type Groups } from "./Groups.ts"
import * as Maintenance from "./Maintenance.ts"
import { slugs } from "../Slugs.ts"
import * as Tags from "./Tags.ts"

export interface Windows {
  /** By their keys. */
  readonly entries: ReadonlyArray<readonly [key: string, Maintenance.WindowRequest]>
  /** The tags that monitors get. */
  readonly tags: ReadonlyMap<Loose, ReadonlyArray<string>>
  readonly report: ReadonlyArray<Note>
}

/** Converts windows. `now`: milliseconds since 1970. `isCarried`: monitors with entries. */
export const convert = (
  { database, monitors }: Backup,
  groups: Groups,
  isCarried: (monitor: Loose) => boolean,
  now: number
): Windows => {
  const entries: Array<readonly [string, Maintenance.WindowRequest]> = []
  const tags = new Map<Loose, Array<string>>()
  const report: Array<Note> = []
  const slug = slugs("window")
  const used = new Set(monitors.flatMap(Tags.of))
  for (const window of database?.windows ?? []) {
    const about = `maintenance ${nameOf(window)}`
    const ids = Maintenance.monitorIds(window)
    const chosen = monitors.filter((monitor) => ids.has(text(monitor, "id")))
    const all = new Set(chosen.flatMap((monitor) => (isGroup(monitor) ? groups.members(monitor) : [monitor])))
    const carried = [...all].filter(isCarried)
    if (carried.length === 0) {
      const why = ids.size === 0 ? "it has no monitors" : "none of its monitors could be carried over"
      report.push({ about, leftOut: true, notes: [why] })
      continue
    }
    const key = slug(nameOf(window).slice(0, 40))
    const named = `maintenance:${key}`
    const tag = used.has(named) ? `${named}-window` : named
    const { notes, request } = Maintenance.convert(window, {
      now,
      tag,
      serverTimezone: settingOf(database?.settings.get("serverTimezone"))
    })
    const missing = [...all].filter((monitor) => !isCarried(monitor)).map(nameOf)
    const said = [...notes, ...(missing.length === 0 ? [] : [`these are missing in it: ${missing.join(", ")}`])]
    if (said.length > 0) report.push({ about, leftOut: request === undefined, notes: said })
    if (request === undefined) continue
    entries.push([key, request])
    for (const monitor of carried) tags.set(monitor, [...(tags.get(monitor) ?? []), tag])
  }
  return { entries, tags, report }
}

/** A setting of JSON text; older versions keep the text itself. */
const settingOf = (value = ""): string | undefined => value.replace(/^"(.*)"$/, "$1") || undefined
