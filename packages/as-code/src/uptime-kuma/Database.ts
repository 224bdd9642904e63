/** Reads the database of an Uptime Kuma 2 as a backup. Its columns get the names that Uptime Kuma's own JSON gives them. */
import type { DatabaseSync } from "node:sqlite"
import { Effect } from "effect"
import { type Backup, type Loose, objectIn, text } from "./Backup.ts"
import { open, type Opened, reading, UnreadableDatabase, whatToCopy } from "./DatabaseFile.ts"

/** Reads a database file. `patience`: milliseconds to wait for the lock of another process. */
export const read = (
  file: string,
  options: { readonly patience?: number } = {}
): Effect.Effect<Backup, UnreadableDatabase> =>
  Effect.gen(function* () {
    const opened = yield* open(file, options)
    yield* checked(file, opened)
    return yield* reading(file, () => contentOf(opened))
  }).pipe(Effect.scoped)

/** Refuses other databases, and those of other versions. */
const checked = (file: string, { database, withoutLog }: Opened): Effect.Effect<void, UnreadableDatabase> =>
  Effect.gen(function* () {
    const tables = yield* reading(file, () => namesOf(database, "table"))
    const refuse = (why: string) => new UnreadableDatabase({ message: `${file} ${why}` })
    const missing = ["monitor", "notification", "setting"].filter((name) => !tables.has(name))
    if (missing.length > 0) {
      const log = withoutLog ? `. If it is one, its kuma.db-wal is missing: ${whatToCopy}` : ""
      return yield* refuse(`is not a database of Uptime Kuma: it has no table ${missing.join(", ")}${log}`)
    }
    // A view runs what its author wrote whenever it is read; Uptime Kuma has none.
    const views = yield* reading(file, () => namesOf(database, "view"))
    if (views.size > 0)
      return yield* refuse(
        `has views (${[...views].slice(0, 3).join(", ").slice(0, 100)}), and Uptime Kuma has none: drop them in a copy, and import that`
      )
    const columns = yield* reading(file, () => columnsOf(database, "monitor"))
    if (!tables.has("knex_migrations") || !columns.has("conditions"))
      return yield* refuse(
        "is a database of Uptime Kuma 1. Export a backup there (Settings, Backup, Export) and import the JSON file; or start Uptime Kuma 2 once on a copy of the data directory, which upgrades it, stop it, and import that copy"
      )
    const upgrading = yield* reading(file, () => rows(database, "SELECT is_locked FROM knex_migrations_lock"))
    if (upgrading.some(({ is_locked: locked }) => locked === 1))
      return yield* refuse(
        "was copied while Uptime Kuma upgraded it, or the upgrade failed: start Uptime Kuma 2 until it runs, stop it, and copy it again"
      )
  })

/** Values read so far, by database. */
const amounts = new WeakMap<DatabaseSync, number>()
/**
 * The approximate limit of bytes in values. The content of an installation besides its history is a thousandth of it.
 */
const most = 128 * 1024 * 1024

const sizeOf = (value: unknown): number =>
  typeof value === "string" ? value.length : ArrayBuffer.isView(value) ? value.byteLength : 8

/** Reads row by row, so that a database that generates values while it is read ends, too. */
const rows = (database: DatabaseSync, sql: string): ReadonlyArray<Loose> => {
  const found: Array<Loose> = []
  for (const row of database.prepare(sql).iterate()) {
    const amount = Object.values(row).reduce<number>((sum, value) => sum + sizeOf(value), amounts.get(database) ?? 0)
    if (amount > most) throw new Error("it holds far more than Uptime Kuma keeps")
    amounts.set(database, amount)
    found.push(row)
  }
  return found
}

const namesOf = (database: DatabaseSync, type: "table" | "view"): ReadonlySet<string> =>
  new Set(rows(database, `SELECT name FROM sqlite_schema WHERE type = '${type}'`).map((row) => text(row, "name")))

const columnsOf = (database: DatabaseSync, table: string): ReadonlySet<string> =>
  new Set(rows(database, `SELECT name FROM pragma_table_info('${table}')`).map((row) => text(row, "name")))

const contentOf = ({ database, withoutLog }: Opened): Backup => {
  // One transaction, so that the tables of a database in use fit each other.
  database.exec("BEGIN")
  const all = (table: string, order = "id") => rows(database, `SELECT * FROM "${table}" ORDER BY ${order}`)
  const notified = Map.groupBy(all("monitor_notification"), (row) => text(row, "monitor_id"))
  const tags = Map.groupBy(
    rows(
      database,
      "SELECT mt.monitor_id, mt.value, tag.name, tag.color FROM monitor_tag mt JOIN tag ON tag.id = mt.tag_id ORDER BY tag.name, mt.id"
    ),
    (row) => text(row, "monitor_id")
  )
  return {
    version: "2",
    monitors: all("monitor").map((row) => monitorOf(row, notified, tags)),
    notifications: all("notification").map(({ config, ...rest }) => ({ ...objectIn(config), ...rest })),
    proxies: all("proxy").length,
    database: {
      withoutLog,
      newestCheck: text(rows(database, "SELECT max(time) AS newest FROM heartbeat")[0] ?? {}, "newest"),
      settings: new Map(all("setting").map((row) => [text(row, "key"), text(row, "value")])),
      pages: pagesOf(database),
      windows: windowsOf(database),
      apiKeys: all("api_key").length
    }
  }
}

type Rows = ReadonlyMap<string, ReadonlyArray<Loose>>

/** Columns that the JSON of Uptime Kuma calls otherwise than by the column's name in camel case. */
const named: Readonly<Record<string, string>> = {
  accepted_statuscodes_json: "accepted_statuscodes",
  retry_only_on_status_code_failure: "retryOnlyOnStatusCodeFailure"
}
const asTheyAre =
  /^(basic_auth_(user|pass)|dns_(resolve_type|resolve_server|last_result)|docker_(container|host)|oauth_.*|bearer_token|ping_.*)$/

/** Columns of JSON text. */
const jsonColumns = new Set(["accepted_statuscodes_json", "conditions"])

const monitorOf = (row: Loose, notified: Rows, tags: Rows): Loose => {
  const id = text(row, "id")
  const fields = Object.entries(row).map(([column, value]) => [
    named[column] ?? (asTheyAre.test(column) ? column : camelCase(column)),
    jsonColumns.has(column) ? listIn(value) : value
  ])
  return {
    ...Object.fromEntries(fields),
    notificationIDList: Object.fromEntries(
      (notified.get(id) ?? []).map((link) => [text(link, "notification_id"), true])
    ),
    tags: tags.get(id) ?? []
  }
}

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

/** A list that is kept as text; empty when it is none. */
const listIn = (value: unknown): ReadonlyArray<unknown> => {
  const { list } = objectIn(`{"list":${typeof value === "string" && value.trim() !== "" ? value : "[]"}}`)
  return Array.isArray(list) ? list : []
}

/** Status pages with their domains, pinned incidents, and groups with their monitors. */
const pagesOf = (database: DatabaseSync): ReadonlyArray<Loose> => {
  const of = (sql: string, field: string): Rows => Map.groupBy(rows(database, sql), (row) => text(row, field))
  const domains = of("SELECT * FROM status_page_cname ORDER BY id", "status_page_id")
  const incidents = of("SELECT * FROM incident ORDER BY id", "status_page_id")
  const groups = of('SELECT * FROM "group" ORDER BY weight, id', "status_page_id")
  const members = of("SELECT * FROM monitor_group ORDER BY weight, id", "group_id")
  return rows(database, "SELECT * FROM status_page ORDER BY id").map((page) => {
    const id = text(page, "id")
    return {
      ...page,
      name: text(page, "title"),
      domains: (domains.get(id) ?? []).map((row) => text(row, "domain")),
      incidents: incidents.get(id) ?? [],
      groups: (groups.get(id) ?? []).map((group) => ({ ...group, members: members.get(text(group, "id")) ?? [] }))
    }
  })
}

/** Maintenance windows with the ids of their monitors and the titles of their status pages. */
const windowsOf = (database: DatabaseSync): ReadonlyArray<Loose> => {
  const monitors = Map.groupBy(rows(database, "SELECT * FROM monitor_maintenance ORDER BY id"), (row) =>
    text(row, "maintenance_id")
  )
  return rows(database, "SELECT * FROM maintenance ORDER BY id").map(({ days_of_month, weekdays, ...window }) => ({
    ...window,
    name: text(window, "title"),
    weekdays: listIn(weekdays),
    days_of_month: listIn(days_of_month),
    monitors: (monitors.get(text(window, "id")) ?? []).map((row) => text(row, "monitor_id"))
  }))
}
