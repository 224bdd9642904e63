/**
 * A backup of Uptime Kuma 1.x, as its settings export it: `version`, `notificationList`, `monitorList`, perhaps
 * `proxyList`. Version 2 exports none. Its database is read as a backup, and lists from its API have the same fields.
 * Reading is lenient, because fields changed between versions.
 */
import { Result } from "effect"

/** A record of theirs. */
export type Loose = Readonly<Record<string, unknown>>

export interface Backup {
  readonly version: string
  readonly monitors: ReadonlyArray<Loose>
  /** With the fields of their type, which the export keeps as text. */
  readonly notifications: ReadonlyArray<Loose>
  readonly proxies: number
  /** The parts of a database that a backup lacks; absent for a backup. */
  readonly database?: DatabaseContent
}

/** The parts of a version 2 database that a backup lacks. */
interface DatabaseContent {
  /** Whether `kuma.db-wal` is missing, so that recent changes may be. */
  readonly withoutLog: boolean
  /** When the newest check was made, in UTC; empty if there is none. */
  readonly newestCheck: string
  /** JSON texts by name. */
  readonly settings: ReadonlyMap<string, string>
  /** Status pages with `groups` (each with `members`), `domains` and `incidents`. */
  readonly pages: ReadonlyArray<Loose>
  /** Maintenance windows with `monitors`, a list of ids. */
  readonly windows: ReadonlyArray<Loose>
  readonly apiKeys: number
}

/** Reads a backup, or says why it is none. */
export const read = (text: string): Result.Result<Backup, string> => {
  const content = parsed(text)
  if (!isObject(content)) return Result.fail("it is no JSON object")
  const { monitorList, notificationList, proxyList, version } = content
  if (monitorList === undefined) return Result.fail("it has no monitorList")
  return Result.succeed({
    version: typeof version === "string" ? version : "unknown",
    monitors: records(monitorList),
    notifications: records(notificationList).map(({ config, ...rest }) => ({ ...rest, ...objectIn(config) })),
    proxies: records(proxyList).length
  })
}

/** A list, or an object with the records under their ids. */
const records = (list: unknown): ReadonlyArray<Loose> =>
  (Array.isArray(list) ? list : isObject(list) ? Object.values(list) : []).filter(isObject)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An object that is kept as text, or as it is; empty when it is none. */
export const objectIn = (value: unknown): Loose => {
  const content = typeof value === "string" ? parsed(value) : value
  return isObject(content) ? content : {}
}

/** Whether a value that may be an object, perhaps as text, holds nothing. */
export const isEmptyObject = (value: unknown): boolean => {
  const words = typeof value === "string" ? value.trim() : JSON.stringify(value ?? "")
  return ["", '""', "null"].includes(words) || /^\{\s*\}$/.test(words)
}

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A field's text; empty where there is none. */
export const text = (record: Loose, field: string): string => {
  const value = record[field]
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""
}

/** A field's number, which some versions keep as text; undefined where there is none. */
export const number = (record: Loose, field: string): number | undefined => {
  const value = text(record, field)
  return value !== "" && Number.isFinite(Number(value)) ? Number(value) : undefined
}

/** A field's yes or no, which some versions keep as 1 or 0, and some tools as text. */
export const flag = (record: Loose, field: string): boolean => yes.has(record[field])

const yes: ReadonlySet<unknown> = new Set([true, 1, "1", "true"])

/** The objects of a list; empty when it is none. */
export const objects = (value: unknown): ReadonlyArray<Loose> => (Array.isArray(value) ? value.filter(isObject) : [])

/** The name of a record, or its number in Uptime Kuma. */
export const nameOf = (record: Loose): string => text(record, "name") || `number ${text(record, "id")}`
