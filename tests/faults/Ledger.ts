/**
 * What targets saw, held against what the product stored. The target keeps a line for every request it gets; the product's own
 * database says what came of it.
 */
import * as fs from "node:fs/promises"
import { createServer } from "node:http"
import * as path from "node:path"
import type { MonitorId } from "@kanmon/domain/Ids"
import { phase, slotStart } from "@kanmon/domain/Slots"
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { Product } from "../support/Product.ts"
import * as StoredResults from "../support/StoredResults.ts"

export interface Target {
  readonly url: (name: string) => string
  /** Instants at which each name was asked for. */
  readonly seen: ReadonlyMap<string, ReadonlyArray<number>>
}

/** A web server that is always well. */
export const target: Effect.Effect<Target, never, Scope.Scope> = Effect.gen(function* () {
  const seen = new Map<string, Array<number>>()
  const port = yield* Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const name = request.url!.slice(1)
        const times = seen.get(name) ?? []
        times.push(Date.now())
        seen.set(name, times)
        response.end("ok")
      })
      server.listen({ port: 0, host: "127.0.0.1", backlog: 1024 }, () => {
        const address = server.address()
        const own = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port: own, close: () => void server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
  return { url: (name) => `http://127.0.0.1:${port.port}/${name}`, seen }
})

export interface Stored {
  readonly monitor: string
  readonly slots: ReadonlyArray<number>
  readonly statuses: ReadonlyArray<string>
}

/** What the product stored of every monitor: the slots that its schedule ran, and its status history. */
export const stored = (product: Product): Effect.Effect<ReadonlyArray<Stored>> =>
  inDatabase(
    product,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{
        readonly id: MonitorId
        readonly name: string
        readonly interval: number
        readonly statuses: ReadonlyArray<string>
      }>`
        SELECT m.id, m.name, m.interval_seconds AS interval,
          (SELECT array_agg(status ORDER BY at, sequence) FROM status_changes s WHERE s.monitor_id = m.id) AS statuses
        FROM monitors m ORDER BY m.id`
      const checks = Map.groupBy(yield* StoredResults.all, ({ id }) => id)
      return rows.map(({ id, interval, name, statuses }) => ({
        monitor: name,
        // The first check of a new monitor is due at once, inside a slot.
        slots: (checks.get(id) ?? []).flatMap(({ dueAt, slot }) =>
          dueAt === slotStart(slot, phase(id, interval * 1000), interval * 1000) ? [slot] : []
        ),
        statuses
      }))
    })
  )

/** Looks into the embedded database of the product, on a connection of its own. */
export const inDatabase = <A, E>(product: Product, look: Effect.Effect<A, E, SqlClient.SqlClient>): Effect.Effect<A> =>
  Effect.flatMap(
    Effect.promise(() => databaseUrl(product)),
    (url) => look.pipe(Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })), Effect.orDie)
  )

/** The embedded database's address: the port is in the greeting, the password in the data directory. */
const databaseUrl = async (product: Product): Promise<string> => {
  const port = [...product.output().matchAll(/embedded PostgreSQL on port (\d+)/g)].at(-1)?.[1]
  const password = await fs.readFile(path.join(product.dataDirectory, "postgres/password"), "utf8")
  return `postgres://kanmon:${password.trim()}@127.0.0.1:${port}/kanmon`
}
