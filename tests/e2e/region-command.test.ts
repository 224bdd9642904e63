/** `kanmon region`: what operators see of the regions, and how they close one. */
import { assert, it } from "@effect/vitest"
import * as Database from "@kanmon/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

it.live("closes a region without probes, unless a monitor has no other", () =>
  Effect.gen(function* () {
    const url = yield* TestDatabase.create
    const folder = yield* Folder.make()
    const region = (...args: ReadonlyArray<string>) =>
      kanmon(["region", ...args], { DATABASE_URL: Redacted.value(url), KANMON_DATA_DIR: folder })
    const query = <A, E>(run: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
      Effect.flatMap(SqlClient.SqlClient, run).pipe(Effect.provide(Database.layer(url, { maxConnections: 1 })))
    yield* query((sql) =>
      Effect.gen(function* () {
        yield* sql`INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('org_1', 'Acme', now(), now())`
        yield* sql`INSERT INTO projects (id, organization_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
        VALUES ('prj_1', 'org_1', 'Shop', 'hash', 'v1.xyz', now(), now())`
        yield* sql`INSERT INTO monitors
          (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config, created_at, updated_at)
        SELECT id, 'prj_1', 'Shop', 'http', 60, 10, regions, false, '{}', now(), now()
        FROM (VALUES ('mon_1', ARRAY['us-east']), ('mon_2', ARRAY['us-east', 'eu-west']), ('mon_3', ARRAY[]::text[]))
          AS v(id, regions)`
        yield* sql`INSERT INTO probe_regions VALUES ('eu-west', now(), now()), ('us-east', now(), now() - interval '2 minutes')`
      })
    )

    const [listed, unknown, alive, bound] = yield* Effect.all(
      [region("list"), region("close", "ap-south"), region("close", "eu-west"), region("close", "us-east")],
      { concurrency: 2 }
    )
    assert.match(listed.output, /eu-west .* name it: 1\nus-east .* name it: 2\n/)
    assert.include(unknown.output, "kanmon: There is no region ap-south; kanmon region list shows them")
    assert.match(alive.output, /kanmon: A probe of eu-west was alive \d+ s ago\. Stop its probes/)
    assert.include(
      bound.output,
      "kanmon: Monitors are checked from us-east alone: mon_1 (prj_1). Give them other regions"
    )
    for (const { code } of [unknown, alive, bound]) assert.strictEqual(code, 1)

    const forced = yield* region("close", "us-east", "--force")
    assert.deepStrictEqual([forced.code, forced.output.split(".")[0]], [0, "us-east is closed"])
    const left = yield* query((sql) => sql`SELECT label FROM probe_regions`)
    assert.deepStrictEqual(left, [{ label: "eu-west" }])
  }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
)
