/** A status page on its custom domain, on the product as its operator runs it. */
import * as fs from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { domain, host, visit } from "../support/CustomDomainStage.ts"
import * as Pebble from "../support/Pebble.ts"
import { eventually, freePort, make } from "../support/Product.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** A plain request to a port of this machine, for whichever host. */
const get = (port: number, name: string, target: string) =>
  Effect.callback<{ readonly status: number; readonly location: string; readonly type: string; readonly body: string }>(
    (resume) => {
      const sent = request({ port, host: "127.0.0.1", path: target, headers: { host: name } }, (response) => {
        let body = ""
        response.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")))
        response.on("end", () => {
          const { "content-type": type = "", location = "" } = response.headers
          resume(Effect.succeed({ status: response.statusCode!, location, type, body }))
        })
      })
      sent.on("error", (cause) => resume(Effect.die(cause)))
      sent.end()
    }
  )

const temporary = Effect.acquireRelease(
  Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-custom-domain-"))),
  (folder) => Effect.promise(() => fs.rm(folder, { recursive: true, force: true }))
)

describe.skipIf(Pebble.skipped)(`a custom domain${Pebble.note}`, () => {
  it.live("is detected, verified, served over TLS and redirected to, with engine and API in separate processes", () =>
    Effect.gen(function* () {
      const challengePort = yield* freePort
      const tlsPort = yield* freePort
      const pebble = yield* Pebble.make({ challengePort })
      yield* pebble.address(host, "127.0.0.1")
      const caFile = path.join(yield* temporary, "ca.pem")
      yield* Effect.promise(() => fs.writeFile(caFile, pebble.ca))
      const url = yield* TestDatabase.create
      const env = {
        DATABASE_URL: Redacted.value(url),
        KANMON_SECRET: "one secret for both processes of this test",
        KANMON_PAGES_HOST: host,
        KANMON_TLS_PORT: String(tlsPort),
        KANMON_DNS_RESOLVER: pebble.resolver,
        ACME_DIRECTORY_URL: pebble.directory,
        ACME_CA_FILE: caFile
      }
      const server = yield* make({
        withoutNats: true,
        env: { ...env, KANMON_ROLES: "api,probe", KANMON_HTTP01_PORT: String(challengePort) }
      })
      yield* server.healthy
      const { projectId } = yield* server.signUp
      const plainPort = Number(new URL(server.base).port)

      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO status_pages
              (id, project_id, name, slug, custom_domain, custom_domain_status, created_at, updated_at)
            VALUES ('sp_1', ${projectId}, 'Acme', 'acme', ${domain}, 'pending_dns', now(), now())`
        const standing = Effect.orDie(
          Effect.map(
            sql<{ status: string; error: string | null }>`SELECT custom_domain_status AS status,
                custom_domain_error AS error FROM status_pages`,
            ([row]) => row!
          )
        )
        // Before there is a certificate nothing is redirected, and no name is served.
        assert.strictEqual((yield* get(plainPort, domain, "/")).status, 200)
        assert.strictEqual((yield* get(challengePort, domain, "/")).status, 404)
        yield* Effect.flip(visit(tlsPort, yield* pebble.root, domain))

        const engine = yield* make({ withoutNats: true, env: { ...env, KANMON_ROLES: "engine" } })
        const missing = yield* eventually(standing, ({ error }) => error !== null)
        assert.match(missing.error!, /has no DNS record/)
        yield* pebble.alias(domain, host)
        // Strangers can sign up here, so the record that is the same for all is not enough.
        const unproven = yield* eventually(standing, ({ error }) => !/has no DNS record/.test(error ?? ""))
        assert.include(unproven.error, `TXT record _kanmon-challenge.${domain} with the value ${projectId}`)
        yield* pebble.text(`_kanmon-challenge.${domain}`, projectId)
        // What its owner does who is impatient: any change of the page has a look taken at once.
        yield* sql`UPDATE status_pages SET updated_at = now()`
        yield* eventually(standing, ({ status }) => status === "active")

        const root = yield* pebble.root
        const seen = yield* eventually(
          Effect.catch(visit(tlsPort, root, domain), () => Effect.succeed(undefined)),
          // A process without the engine's bus polls the domains every few seconds.
          (visited) => visited?.answer.startsWith("HTTP/1.1 200") === true
        )
        assert.match(seen!.answer, /^HTTP\/1\.1 200 OK\r\n/)
        assert.match(seen!.answer, /strict-transport-security: max-age=31536000\r\n/i)
        assert.match(seen!.answer, /<title>[^<]* Acme<\/title>/)

        for (const port of [plainPort, challengePort])
          assert.deepInclude(yield* get(port, `${domain}:8080`, "/a?b=c"), {
            status: 308,
            location: `https://${domain}/a?b=c`
          })
        assert.strictEqual((yield* get(plainPort, "127.0.0.1", "/")).status, 200)
        assert.strictEqual((yield* get(plainPort, "evil.test", "/")).status, 200)
        assert.strictEqual((yield* get(challengePort, "evil.test", "/")).status, 404)

        yield* sql`INSERT INTO acme_challenges VALUES ('known-token', ${domain}, 'known-token.print', now() + interval '1 minute')`
        for (const port of [plainPort, challengePort]) {
          const answer = yield* get(port, domain, "/.well-known/acme-challenge/known-token")
          assert.deepInclude(answer, { status: 200, body: "known-token.print" })
          assert.match(answer.type, /^text\/plain/)
          assert.strictEqual((yield* get(port, domain, "/.well-known/acme-challenge/other-token")).status, 404)
          // Of another name nothing was ordered.
          assert.strictEqual((yield* get(port, "evil.test", "/.well-known/acme-challenge/known-token")).status, 404)
        }
        assert.notMatch(server.output() + engine.output(), /PRIVATE KEY/)
        assert.strictEqual(yield* engine.stop(), "0")
        assert.strictEqual(yield* server.stop(), "0")
      }).pipe(Effect.provide(Database.layer(url, { maxConnections: 2 })))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto), Effect.scoped)
  )
})
