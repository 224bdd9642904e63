/**
 * A backup as a file for `kanmon apply`, with a list of the secrets that the file only names and a report of what was lost.
 * Every entry is decoded as the command would: what it would refuse is left out here, and said.
 */
import { stringify } from "yaml"
import * as Decoding from "../Decoding.ts"
import * as Source from "../Source.ts"
import { type Backup, type Loose, nameOf, text } from "./Backup.ts"
import type { Converted, Draft } from "./Draft.ts"
import * as Monitors from "./Monitors.ts"
import * as Notifications from "./Notifications.ts"
import { type Carried, rulesOf, unheard } from "./Rules.ts"
import { slugs } from "./Slugs.ts"
import { type Variable, Written } from "./Written.ts"

/** What is said of one of theirs. */
interface Note {
  readonly about: string
  readonly leftOut: boolean
  readonly notes: ReadonlyArray<string>
}

export interface Imported {
  readonly yaml: string
  readonly variables: ReadonlyArray<Variable>
  readonly report: ReadonlyArray<Note>
  readonly counts: Readonly<Record<"monitors" | "channels" | "rules", number>>
}

export const convert = (backup: Backup, kinds: Decoding.Kinds): Imported => {
  const report: Array<Note> = []
  const carry = (what: string, records: ReadonlyArray<Loose>, read: (record: Loose) => Converted) => {
    const slug = slugs(what)
    return records.map((record): Carried => {
      const { drafts, notes } = read(record)
      const fitting = drafts.map((draft) => [slug(String(draft["name"])), draft] as const)
      const entries = fitting.filter(([key, draft]) => objections(what, key, draft, kinds).length === 0)
      const refused = fitting.flatMap(([key, draft]) => objections(what, key, draft, kinds))
      const said = [...notes, ...refused.map((why) => `it does not fit: ${why}`)]
      if (said.length > 0)
        report.push({ about: `${what} ${nameOf(record)}`, leftOut: entries.length === 0, notes: said })
      return { record, entries }
    })
  }
  const channels = carry("channel", backup.notifications, Notifications.convert)
  const monitors = carry("monitor", backup.monitors, Monitors.convert)
  const rules = rulesOf(monitors, channels)
  const written = new Written()
  const section = (kind: string, entries: ReadonlyArray<readonly [string, Draft]>) =>
    Object.fromEntries(entries.map(([key, draft]) => [key, written.entry(kind, key, draft)]))
  const content = {
    monitors: section(
      "monitor",
      monitors.flatMap(({ entries }) => entries)
    ),
    channels: section(
      "channel",
      channels.flatMap(({ entries }) => entries)
    ),
    rules: section("rule", rules)
  }
  return {
    yaml: [header(backup, written.variables), ...Object.entries(content).map(yamlOf)].join(""),
    variables: written.variables,
    report: [...report, ...unheard(monitors, channels).map(nobodyHears), ...inGeneral(backup)],
    counts: {
      monitors: Object.keys(content.monitors).length,
      channels: Object.keys(content.channels).length,
      rules: rules.length
    }
  }
}

/** A section with a line before it; nothing of an empty one. */
const yamlOf = ([name, entries]: readonly [name: string, entries: object]): string =>
  Object.keys(entries).length === 0 ? "" : `\n${stringify({ [name]: entries }, { lineWidth: 0 })}`

/** What `kanmon apply` would say of the entry. */
const objections = (what: string, key: string, draft: Draft, kinds: Decoding.Kinds): ReadonlyArray<string> => {
  const written = new Written()
  const file = JSON.stringify({ [`${what}s`]: { [key]: written.entry(what, key, draft) } })
  const environment = Object.fromEntries(written.variables.map(({ name, value }) => [name, value]))
  const source = Source.read([{ name: "kanmon.yaml", text: file }], environment)
  const { mistakes } = Decoding.decode(source.entries, kinds)
  return [...source.mistakes, ...mistakes].map(
    ({ message, path }) => `${path.split(".").slice(2).join(".")}: ${message}`
  )
}

const header = (backup: Backup, variables: ReadonlyArray<Variable>): string =>
  [
    `From a backup of Uptime Kuma ${backup.version.replaceAll(/[^\w.+-]+/g, " ")}, by kanmon import uptime-kuma.`,
    ...(variables.length === 0
      ? []
      : ["It needs these in the environment:", ...variables.map(({ name, place }) => `  ${name}  ${place}`)])
  ]
    .map((line) => `# ${line}\n`)
    .join("")

const nobodyHears = (record: Loose): Note => ({
  about: `monitor ${nameOf(record)}`,
  leftOut: false,
  notes: ["nobody is told of it any more, since none of its notifications could be carried over"]
})

/** What no record is about. */
const inGeneral = ({ monitors, proxies }: Backup): ReadonlyArray<Note> => {
  const tagged = monitors.filter(({ tags }) => Array.isArray(tags) && tags.length > 0).length
  const described = monitors.filter((monitor) => text(monitor, "description") !== "").length
  const notes = [
    ...(tagged > 0 ? [`tags are not carried over (${tagged} monitors have some)`] : []),
    ...(described > 0 ? [`descriptions are not carried over (${described} monitors have one)`] : []),
    ...(proxies > 0 ? [`proxies are not carried over (${proxies})`] : []),
    "the backup holds no history, no status pages and no maintenance"
  ]
  return [{ about: "The backup", leftOut: false, notes }]
}
