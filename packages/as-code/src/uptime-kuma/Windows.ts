/** The maintenance windows of a database, and which monitors they are for. */
import { type Backup, type Loose, nameOf, text } from "./Backup.ts"
import { look, type Note, noteOf, type Said } from "./Draft.ts"
import { isGroup, type Groups } from "./Groups.ts"
import * as Maintenance from "./Maintenance.ts"
import { slugs } from "../Slugs.ts"

/** An entry of a file: the request, with the keys of its monitors. */
export interface WindowEntry extends Maintenance.WindowRequest {
  readonly monitors: ReadonlyArray<string>
}

export interface Windows {
  /** By their keys. */
  readonly entries: ReadonlyArray<readonly [key: string, WindowEntry]>
  readonly report: ReadonlyArray<Note>
}

/** How many monitors a window can name; one with more becomes several. */
const maxMonitors = 1000

/** Converts windows. `now`: milliseconds since 1970. `keysOf`: the keys of the entries of a monitor. */
export const convert = (
  { database, monitors }: Backup,
  groups: Groups,
  keysOf: (monitor: Loose) => ReadonlyArray<string>,
  now: number
): Windows => {
  const entries: Array<readonly [string, WindowEntry]> = []
  const report: Array<Note> = []
  const slug = slugs("window")
  for (const window of database?.windows ?? []) {
    const about = `maintenance ${nameOf(window)}`
    const ids = Maintenance.monitorIds(window)
    const chosen = monitors.filter((monitor) => ids.has(text(monitor, "id")))
    const all = new Set(chosen.flatMap((monitor) => (isGroup(monitor) ? groups.members(monitor) : [monitor])))
    const keys = [...all].flatMap(keysOf)
    if (keys.length === 0) {
      const why = ids.size === 0 ? "it has no monitors" : "none of its monitors could be carried over"
      report.push(noteOf(about, true, [why]))
      continue
    }
    const { notes, request } = Maintenance.convert(window, {
      now,
      serverTimezone: settingOf(database?.settings.get("serverTimezone"))
    })
    const missing = [...all].filter((monitor) => keysOf(monitor).length === 0).map(nameOf)
    const said: ReadonlyArray<Said> = [
      ...notes,
      ...(missing.length === 0 ? [] : [look(`these are missing in it: ${missing.join(", ")}`)])
    ]
    if (said.length > 0) report.push(noteOf(about, request === undefined, said))
    if (request === undefined) continue
    for (let first = 0; first < keys.length; first += maxMonitors)
      entries.push([
        slug(nameOf(window).slice(0, 40)),
        { ...request, monitors: keys.slice(first, first + maxMonitors) }
      ])
  }
  return { entries, report }
}

/** A setting of JSON text; older versions keep the text itself. */
const settingOf = (value = ""): string | undefined => value.replace(/^"(.*)"$/, "$1") || undefined
