/**
 * A backup as a file for `kanmon apply`, with a list of the secrets that the file only names and a report of the
 * losses. Every entry is decoded as the command would: refused entries are left out and reported.
 */
import { stringify } from "yaml"
import * as Decoding from "../Decoding.ts"
import * as Source from "../Source.ts"
import { type Backup, flag, type Loose, nameOf, objectIn, text } from "./Backup.ts"
import type { Context } from "./Context.ts"
import type { Draft } from "../Secret.ts"
import { type Converted, look, type Note, noteOf, type Said, written as asSentences } from "./Draft.ts"
import { whatToCopy } from "./DatabaseFile.ts"
import { Groups, isGroup } from "./Groups.ts"
import * as Monitors from "./Monitors.ts"
import * as Notifications from "./Notifications.ts"
import { type Carried, failuresOf, rulesOf, unheard } from "./Rules.ts"
import { slugs } from "../Slugs.ts"
import * as StatusPages from "./StatusPages.ts"
import * as Tags from "./Tags.ts"
import * as Windows from "./Windows.ts"
import { type Variable, Written } from "../Written.ts"

export interface Imported {
  readonly yaml: string
  readonly variables: ReadonlyArray<Variable>
  readonly report: ReadonlyArray<Note>
  /** The maintenance windows of the file. */
  readonly windows: ReadonlyArray<Windows.WindowEntry>
  readonly counts: Readonly<Record<"monitors" | "channels" | "rules" | "pages", number>>
}

/** Converts a backup. Maintenance windows begin from `now` on, in milliseconds since 1970. */
export const convert = (backup: Backup, kinds: Decoding.Kinds, now: number): Imported => {
  const report: Array<Note> = []
  const carry = (what: string, records: ReadonlyArray<Loose>, read: (record: Loose) => Converted) => {
    const slug = slugs(what)
    return records.map((record): Carried => {
      const { drafts, notes } = read(record)
      const fitting = drafts.map((draft) => [slug(String(draft["name"])), draft] as const)
      const entries = fitting.filter(([key, draft]) => objections(what, key, draft, kinds).length === 0)
      const refused = fitting.flatMap(([key, draft]) => objections(what, key, draft, kinds))
      const said = [...notes, ...refused.map((why) => `it does not fit: ${why}`)]
      if (said.length > 0) report.push(noteOf(`${what} ${nameOf(record)}`, entries.length === 0, said))
      return { record, entries }
    })
  }
  const context = contextOf(backup, kinds)
  const channels = carry("channel", backup.notifications, (record) => Notifications.convert(record, kinds.channels))
  const [groups, checked] = [backup.monitors.filter(isGroup), backup.monitors.filter((one) => !isGroup(one))]
  const alone = carry("monitor", checked, (record) => Monitors.convert(record, context))
  const keysOf = new Map(alone.map(({ entries, record }) => [record, entries.map(([key]) => key)]))
  const windows = Windows.convert(backup, context.groups, (record) => keysOf.get(record) ?? [], now)
  const monitors = alone.map(({ entries, record }): Carried => {
    const parent = context.groups.parentMonitor(record)
    const dependsOn = parent === undefined ? [] : (keysOf.get(parent) ?? [])
    const tags = Tags.of(record).slice(0, Tags.maxTags)
    const added: Draft = {
      ...(tags.length === 0 ? {} : { tags }),
      ...(dependsOn.length === 0 ? {} : { dependsOn })
    }
    return { record, entries: entries.map(([key, draft]) => [key, { ...draft, ...added }]) }
  })
  const grouped = groups.map((record): Carried => {
    const members = new Set(context.groups.members(record))
    const inside = monitors.filter((one) => members.has(one.record))
    return {
      record,
      entries: inside.flatMap(({ entries }) => entries),
      members: inside.flatMap(({ entries, record: one }) => (entries.length === 0 ? [] : [one]))
    }
  })
  const pages = carry("page", backup.database?.pages ?? [], (page) =>
    StatusPages.convert(page, backup.monitors, keysOf)
  )
  const rules = rulesOf(monitors, channels, grouped)
  const written = new Written()
  const section = (kind: string, entries: ReadonlyArray<readonly [string, Draft]>) =>
    Object.fromEntries(entries.map(([key, draft]) => [key, written.entry(kind, key, draft)]))
  const entriesOf = (carried: ReadonlyArray<Carried>) => carried.flatMap(({ entries }) => entries)
  const content = {
    monitors: section("monitor", entriesOf(monitors)),
    channels: section("channel", entriesOf(channels)),
    rules: section("rule", rules),
    pages: section("page", entriesOf(pages)),
    maintenance: section(
      "maintenance",
      windows.entries.map(([key, { maintenance: _, ...entry }]) => [key, entry])
    )
  }
  return {
    yaml: [header(backup, written.variables), ...Object.entries(content).map(yamlOf)].join(""),
    variables: written.variables,
    windows: windows.entries.map(([, request]) => request),
    report: [
      ...report,
      ...grouped.flatMap(groupNotes(context.groups, groups, unheard(grouped, channels))),
      ...Tags.notes(checked),
      ...unheard(monitors, channels).map((carried) => nobodyHears(carried, rules)),
      ...windows.report,
      ...inGeneral(backup)
    ].map(asSentences),
    counts: {
      monitors: Object.keys(content.monitors).length,
      channels: Object.keys(content.channels).length,
      rules: rules.length,
      pages: Object.keys(content.pages).length
    }
  }
}

/** Theirs, where nothing else was chosen. */
const daysOfNotices = [7, 14, 21]

/** The settings of days before an expiry at which they send notices. */
const daySettings = { tlsExpiryNotifyDays: "a certificate", domainExpiryNotifyDays: "a domain" }

/** The days of a setting; undefined if it is no list of numbers. */
const daysIn = (database: Backup["database"], setting: string): ReadonlyArray<number> | undefined => {
  const given = database?.settings.get(setting)
  if (given === undefined) return daysOfNotices
  const { list } = objectIn(`{"list":${given}}`)
  if (!Array.isArray(list)) return undefined
  const days = list.map(Number)
  return days.every(Number.isFinite) ? days : undefined
}

const contextOf = ({ database, monitors }: Backup, kinds: Decoding.Kinds): Context => {
  const days = (setting: keyof typeof daySettings): number =>
    Math.min(365, Math.max(0, ...(daysIn(database, setting) ?? daysOfNotices).map(Math.round)))
  return {
    kinds,
    groups: new Groups(monitors),
    certificateDays: days("tlsExpiryNotifyDays"),
    domainDays: days("domainExpiryNotifyDays")
  }
}

/** The changes that come with a group. */
const groupNotes =
  (groups: Groups, all: ReadonlyArray<Loose>, unheardOf: ReadonlyArray<Carried>) =>
  (carried: Carried): ReadonlyArray<Note> => {
    const { entries, record } = carried
    const failures = failuresOf(carried)
    const about = `group ${nameOf(record)}`
    if (entries.length === 0) return [noteOf(about, true, ["no monitor in it could be carried over"])]
    const { path } = groups.pathOf(record)
    const alike = all.filter(
      (one) => one !== record && nameOf(one) === nameOf(record) && groups.pathOf(one).path === path
    )
    const notes: ReadonlyArray<Said> = [
      ...(alike.length > 0 ? ["another group has the same path; their monitors are in one group now"] : []),
      ...(flag(record, "upsideDown")
        ? [look("a group here is not upside down: turn its monitors around one by one")]
        : []),
      ...(text(record, "description") === "" ? [] : ["a group here has no description"]),
      ...(unheardOf.includes(carried)
        ? [
            look(
              "its notifications go to no rule, since none could be imported: create a channel, and an alert rule for the monitors in it"
            )
          ]
        : notified(record)
          ? [
              "its notifications go to rules for the monitors in it, one message for each of them",
              ...(failures === 1
                ? []
                : [
                    `these rules alert after ${failures} failures in a row, which is one more than the most retries among its monitors`
                  ])
            ]
          : [])
    ]
    return notes.length === 0 ? [] : [noteOf(about, false, notes)]
  }

const notified = (record: Loose): boolean => Object.values(objectIn(record["notificationIDList"])).includes(true)

/** A section with a line before it; nothing of an empty one. */
const yamlOf = ([name, entries]: readonly [name: string, entries: object]): string =>
  Object.keys(entries).length === 0 ? "" : `\n${stringify({ [name]: entries }, { lineWidth: 0 })}`

/** The objections of `kanmon apply` to the entry. */
const objections = (what: string, key: string, draft: Draft, kinds: Decoding.Kinds): ReadonlyArray<string> => {
  const written = new Written()
  // References of a page are keys of this import.
  const alone = what === "page" ? { ...draft, monitors: [] } : draft
  const file = JSON.stringify({ [`${what}s`]: { [key]: written.entry(what, key, alone) } })
  const environment = Object.fromEntries(written.variables.map(({ name, value }) => [name, value]))
  const source = Source.read([{ name: "kanmon.yaml", text: file }], environment)
  const { mistakes } = Decoding.decode(source.entries, kinds)
  return [...source.mistakes, ...mistakes].map(
    ({ message, path }) => `${path.split(".").slice(2).join(".")}: ${message}`
  )
}

const header = (backup: Backup, variables: ReadonlyArray<Variable>): string =>
  [
    `From a ${backup.database === undefined ? "backup" : "database"} of Uptime Kuma ${backup.version.replaceAll(/[^\w.+-]+/g, " ")}, by kanmon import uptime-kuma.`,
    ...(variables.length === 0
      ? []
      : ["It needs these in the environment:", ...variables.map(({ name, place }) => `  ${name}  ${place}`)])
  ]
    .map((line) => `# ${line}\n`)
    .join("")

const nobodyHears = ({ entries, record }: Carried, rules: ReadonlyArray<readonly [string, Draft]>): Note => {
  const keys = new Set(entries.map(([key]) => key))
  const isInARule = rules.some(([, { monitors }]) => Array.isArray(monitors) && monitors.some((key) => keys.has(key)))
  return noteOf(`monitor ${nameOf(record)}`, false, [
    look(
      isInARule
        ? "it has no notifications of its own, since none could be imported; the rules of its group remain"
        : "it has no notifications, since none could be imported: create a channel, and an alert rule for it"
    )
  ])
}

/** Notes without a record. */
const inGeneral = ({ database, monitors, proxies }: Backup): ReadonlyArray<Note> => {
  const about = database === undefined ? "The backup" : "The database"
  const coloured = Tags.coloured(monitors)
  const notes = [
    ...(proxies > 0 ? [`proxies are not carried over (${proxies})`] : []),
    ...(database === undefined
      ? ["the backup holds no history, no status pages and no maintenance"]
      : [
          ...(database.withoutLog
            ? [
                `the file kuma.db-wal was not beside kuma.db. If Uptime Kuma ran while it was copied, recent changes are missing: ${whatToCopy}`
              ]
            : []),
          database.newestCheck === ""
            ? "it has no checks"
            : `its newest check is of ${database.newestCheck} UTC; history is not carried over`,
          ...Object.entries(daySettings).flatMap(([setting, what]) =>
            daysIn(database, setting) === undefined
              ? [`its days before the expiry of ${what} are no list of numbers: ${daysOfNotices.join(", ")} are used`]
              : []
          ),
          ...(database.apiKeys > 0 ? [`API keys are not carried over (${database.apiKeys})`] : []),
          "users, two-factor authentication and the settings of the installation are not carried over"
        ]),
    ...(coloured > 0 ? [`the colours of tags are not carried over (${coloured})`] : [])
  ]
  return [noteOf(about, false, notes)]
}
