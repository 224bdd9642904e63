/** Each table has one owner, which alone writes it; who else reads it is listed. The scan is proved by planted violations. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Join, joins, owners } from "./TableOwners.ts"
import { namesTablesLate, tablesOf, usesOf } from "./TableUses.ts"

const root = path.resolve(import.meta.dirname, "../..")
const folders = ["packages/platform/src", "packages/identity/src", "packages/monitoring/src", "apps/server/src"]
const migrations = "packages/platform/src/database/migrations/"

/** Sources by their path from the root. */
type Sources = Readonly<Record<string, string>>

const read = async (): Promise<Sources> => {
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await fs.readdir(path.join(root, folder), { recursive: true }))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => path.posix.join(folder, file))
    )
  )
  const entries = files.flat().map(async (file) => [file, await fs.readFile(path.join(root, file), "utf8")] as const)
  return Object.fromEntries(await Promise.all(entries))
}

const isMigration = (file: string): boolean => file.startsWith(migrations)
const tables = tablesOf(Object.entries(await read()).flatMap(([file, source]) => (isMigration(file) ? [source] : [])))

const ownerOf = new Map(Object.entries(owners).flatMap(([owner, own]) => own.map((table) => [table, owner] as const)))

/** `packages/identity/src/sso/ScimUserRepository.ts` as `identity/sso/ScimUser`. */
const nameOf = (file: string): string =>
  file.replace(/^(?:packages|apps)\/(\w+)\/src\//, "$1/").replace(/(?:Repository)?\.ts$/, "")

const featureOf = (file: string): string => {
  const [floor = "", folder = ""] = nameOf(file).split("/")
  return floor === "platform" ? floor : `${floor}/${folder}`
}

/** The backup copies whatever tables there are. */
const isScanned = (file: string): boolean => !isMigration(file) && !file.startsWith("packages/monitoring/src/backup/")

const foreign = (sources: Sources) =>
  Object.entries(sources)
    .filter(([file]) => isScanned(file))
    .flatMap(([file, source]) =>
      usesOf(source, tables)
        .filter(({ table }) => ownerOf.get(table) !== featureOf(file))
        .map((use) => ({ ...use, repository: nameOf(file) }))
    )

const secondWriters = (sources: Sources): ReadonlyArray<string> =>
  foreign(sources)
    .filter(({ kind }) => kind === "write")
    .map(({ repository, table }) => `${repository} writes ${table}, which belongs to ${ownerOf.get(table)}`)

const unlisted =
  (list: ReadonlyArray<Join>) =>
  (sources: Sources): ReadonlyArray<string> => {
    const allowed = new Set(
      list.flatMap(({ locks = [], reads, repository }) => [
        ...[...reads, ...locks].map((table) => `${repository} read ${table}`),
        ...locks.map((table) => `${repository} lock ${table}`)
      ])
    )
    return foreign(sources)
      .filter(({ kind, repository, table }) => kind !== "write" && !allowed.has(`${repository} ${kind} ${table}`))
      .map(({ kind, repository, table }) => `${repository} ${kind}s ${table}, which belongs to ${ownerOf.get(table)}`)
  }

const idle =
  (list: ReadonlyArray<Join>) =>
  (sources: Sources): ReadonlyArray<string> => {
    const used = new Set(foreign(sources).map(({ kind, repository, table }) => `${repository} ${kind} ${table}`))
    return list.flatMap(({ locks = [], reads, repository }) => [
      ...reads
        .filter((table) => !used.has(`${repository} read ${table}`))
        .map((table) => `${repository} reads ${table}`),
      ...locks
        .filter((table) => !used.has(`${repository} lock ${table}`))
        .map((table) => `${repository} locks ${table}`)
    ])
  }

/** Repositories that choose a table at run time, among those of their own feature. */
const choosing = new Set(["identity/users/UserRecord", "monitoring/evaluation/Partition"])

const late = (sources: Sources): ReadonlyArray<string> =>
  Object.entries(sources)
    .filter(([file, source]) => isScanned(file) && namesTablesLate(source) && !choosing.has(nameOf(file)))
    .map(([file]) => `${nameOf(file)} chooses a table at run time`)

const alerts = "packages/monitoring/src/alerts/Canary.ts"
const canary = (statement: string): Sources => ({
  [alerts]: `const sql = yield* SqlClient\nyield* sql\`${statement}\``
})

describe("the tables of the database", () => {
  it("have an owner, all of them", () => {
    const missing = [...tables].filter((table) => !ownerOf.has(table)).join(", ")
    assert.deepStrictEqual(
      [...ownerOf.keys()].sort(),
      [...tables].sort(),
      `Name the feature that owns ${missing === "" ? "each table, and no other table," : missing} in TableOwners.ts`
    )
  })

  it("have one owner each", () => {
    assert.strictEqual(Object.values(owners).flat().length, ownerOf.size)
  })

  it("belong to features that exist", async () => {
    const features = new Set(Object.keys(await read()).map(featureOf))
    assert.deepStrictEqual(
      Object.keys(owners).filter((owner) => !features.has(owner)),
      []
    )
  })

  it("are written by their owners alone", async () => {
    assert.deepStrictEqual(
      secondWriters(await read()),
      [],
      "Call the owner through its index.ts, or implement a port of it"
    )
  })

  it("are read and locked by others only where that is listed, with a reason", async () => {
    assert.deepStrictEqual(
      unlisted(joins)(await read()),
      [],
      "Add the table to `reads` or `locks` of the repository in `joins` of TableOwners.ts, or ask the owner through its index.ts"
    )
    assert.deepStrictEqual(
      joins.filter(({ because }) => because.length < 20),
      []
    )
  })

  it("are listed for no reader that does not read them", async () => {
    assert.deepStrictEqual(idle(joins)(await read()), [], "Remove the table from `joins` of TableOwners.ts")
  })

  it("are named in the statements, not chosen at run time", async () => {
    assert.deepStrictEqual(late(await read()), [])
  })

  it.each([
    "INSERT INTO channels (id) VALUES (1)",
    "UPDATE channels c SET name = 'a'",
    "UPDATE ONLY channels SET name = 'a'",
    "DELETE FROM channels WHERE id = 1",
    "TRUNCATE channels",
    "COPY channels FROM STDIN",
    "WITH gone AS (DELETE FROM channels RETURNING id) SELECT id FROM gone",
    "INSERT INTO alerts (id) SELECT id FROM gone RETURNING ${sql`WITH a AS (UPDATE channels SET name = 'a')`}"
  ])("turn red on a second writer: %s", (statement) => {
    assert.deepStrictEqual(secondWriters(canary(statement)), [
      "monitoring/alerts/Canary writes channels, which belongs to monitoring/channels"
    ])
  })

  it.each([
    "SELECT 1 FROM channels",
    "SELECT 1 FROM alerts a LEFT JOIN channels c ON c.id = a.id",
    "SELECT 1 FROM alerts a, channels c",
    "DELETE FROM alerts a USING channels c",
    "SELECT (SELECT count(*) FROM channels)",
    "channels c WHERE c.id = 1"
  ])("turn red on a reader that is not listed: %s", (statement) => {
    assert.include(
      unlisted([])(canary(statement)),
      "monitoring/alerts/Canary reads channels, which belongs to monitoring/channels"
    )
  })

  it.each([
    "SELECT 1 FROM channels FOR UPDATE",
    "SELECT 1 FROM alerts a JOIN channels c ON true FOR NO KEY UPDATE OF c"
  ])("turn red on a lock that is not listed: %s", (statement) => {
    assert.include(
      unlisted([{ repository: "monitoring/alerts/Canary", reads: ["channels"], because: "a canary" }])(
        canary(statement)
      ),
      "monitoring/alerts/Canary locks channels, which belongs to monitoring/channels"
    )
  })

  it("turn red on a reason for nothing, and on a table that is chosen at run time", () => {
    assert.isNotEmpty(idle([{ repository: "monitoring/alerts/Canary", reads: ["channels"], because: "" }])({}))
    assert.isNotEmpty(late(canary("DELETE FROM ${sql(name)}")))
  })

  it("are not seen in words, comments, aliases and columns", () => {
    const words =
      "SELECT u.channels, count(*) AS channels FROM alerts WHERE note = 'channels' ON CONFLICT DO UPDATE SET a = 1"
    assert.deepStrictEqual(secondWriters(canary(words)), [])
    assert.deepStrictEqual(unlisted([])(canary(words)), [])
  })
})
