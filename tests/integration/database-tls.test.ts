/** TLS to PostgreSQL as requested by `DATABASE_URL`, with helpful errors. */
import { eventually } from "@kanmon/testkit/Eventually"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as Database from "@kanmon/platform/database/Database"
import { explain } from "@kanmon/platform/database/DatabaseFailure"
import * as EmbeddedPostgres from "@kanmon/platform/database/EmbeddedPostgres"
import { certificates } from "@kanmon/testkit/Certificates"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"

class TlsServer extends Context.Service<
  TlsServer,
  {
    /** The address of a database, with these parameters; an `@` in them is the folder of the certificates. */
    readonly url: (parameters: string, change?: { readonly host?: string; readonly database?: string }) => string
  }
>()("@kanmon/tests/TlsServer") {
  static readonly layer = Layer.effect(
    TlsServer,
    Effect.gen(function* () {
      const { good, root, strangeRoot, wrongName } = yield* certificates
      const folder = yield* Folder.make({
        "ca.pem": root,
        "strange-ca.pem": strangeRoot.cert,
        "client.pem": good.cert,
        "client-key.pem": good.key,
        "other-key.pem": wrongName.key
      })
      const server = yield* EmbeddedPostgres.start(folder)
      yield* Effect.promise(async () => {
        const { gid, uid } = await fs.stat(server.directory)
        for (const [name, text] of Object.entries({
          "server.crt": good.cert,
          "server.key": good.key,
          "root.crt": root
        })) {
          const file = path.join(server.directory, name)
          await fs.writeFile(file, text, { mode: 0o600 })
          await fs.chown(file, uid, gid)
        }
        const access = path.join(server.directory, "pg_hba.conf")
        const demanding =
          "hostssl demanding all all scram-sha-256 clientcert=verify-ca\nhost demanding all all reject\n"
        await fs.writeFile(access, demanding + (await fs.readFile(access, "utf8")))
      })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE DATABASE demanding`
        yield* sql`ALTER SYSTEM SET ssl_ca_file = 'root.crt'`
        yield* sql`ALTER SYSTEM SET ssl = on`
        yield* sql`SELECT pg_reload_conf()`
        yield* eventually(sql<{ readonly ssl: string }>`SHOW ssl`, ([row]) => row?.ssl === "on")
      }).pipe(Effect.provide(Database.layer(server.url, { maxConnections: 1 })), Effect.orDie)
      return TlsServer.of({
        url: (parameters, { database = "kanmon", host = "localhost" } = {}) => {
          const url = new URL(Redacted.value(server.url))
          url.hostname = host
          url.pathname = `/${database}`
          return `${url.href}?${parameters.replaceAll("@", `${folder}/`)}`
        }
      })
    })
  )
}

/** Connects, and says whether the connection is encrypted. */
const reach = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`
    return row!.ssl
  }).pipe(Effect.provide(Database.layer(Redacted.make(url), { maxConnections: 1 })), Effect.scoped)

const refusal = (url: string) =>
  Effect.map(Effect.flip(reach(url)), (error) => {
    const line = error._tag === "BadDatabaseUrl" ? error.message : explain(error)
    assert.notInclude(line, "\n")
    return line
  })

layer(TlsServer.layer, { timeout: "60 seconds", excludeTestServices: true })("TLS to PostgreSQL", (it) => {
  for (const [parameters, encrypted, change] of [
    ["application_name=x", false, {}],
    ["sslmode=disable", false, {}],
    ["sslmode=prefer", true, {}],
    ["sslmode=require", true, { host: "127.0.0.1" }],
    ["sslmode=require&sslrootcert=@ca.pem", true, {}],
    ["sslmode=verify-ca&sslrootcert=@ca.pem", true, {}],
    ["sslmode=verify-full&sslrootcert=@ca.pem", true, {}],
    ["sslmode=verify-full&sslrootcert=@ca.pem", true, { host: "127.0.0.1" }],
    // The same place, under a name that the certificate is not for.
    ["sslmode=verify-ca&sslrootcert=@ca.pem", true, { host: "127.1" }],
    ["sslmode=require&sslcert=@client.pem&sslkey=@client-key.pem", true, { database: "demanding" }]
  ] as const) {
    it.effect(`${encrypted ? "is used with" : "is not used with"} ${parameters} ${JSON.stringify(change)}`, () =>
      Effect.gen(function* () {
        const { url } = yield* TlsServer
        assert.strictEqual(yield* reach(url(parameters, change)), encrypted)
      })
    )
  }

  for (const [parameters, words, change] of [
    ["sslmode=verify-full", /sslrootcert names the file of its root/, {}],
    ["sslmode=verify-ca&sslrootcert=@strange-ca.pem", /sslrootcert names the file of its root/, {}],
    ["sslmode=require&sslrootcert=@strange-ca.pem", /sslrootcert names the file of its root/, {}],
    ["sslmode=verify-full&sslrootcert=@ca.pem", /connect under a name/, { host: "127.1" }],
    ["sslmode=require", /client certificate/, { database: "demanding" }],
    ["sslmode=disable", /pg_hba|encryption/, { database: "demanding" }]
  ] as const) {
    it.effect(`is refused with ${parameters} ${JSON.stringify(change)}`, () =>
      Effect.gen(function* () {
        const { url } = yield* TlsServer
        assert.match(yield* refusal(url(parameters, change)), words)
      })
    )
  }

  it.effect("refuses a server without TLS, unless sslmode allows it", () =>
    Effect.gen(function* () {
      // Not the template database, which must have no connections.
      const { href: plain } = new URL("/postgres", inject("templateUrl"))
      for (const mode of ["require", "verify-full"]) {
        assert.match(yield* refusal(`${plain}?sslmode=${mode}`), /offers no TLS, and sslmode insists/)
      }
      assert.isFalse(yield* reach(`${plain}?sslmode=prefer`))
    })
  )

  it.effect("appears in the output of doctor", () =>
    Effect.gen(function* () {
      const { url } = yield* TlsServer
      const { output } = yield* kanmon(["doctor"], {
        DATABASE_URL: url("sslmode=verify-full&sslrootcert=@ca.pem"),
        KANMON_DATA_DIR: yield* Folder.make()
      })
      assert.match(output, /DATABASE_URL answers, as kanmon, encrypted with TLSv1\.[23]; run kanmon migrate/)
    })
  )
})
