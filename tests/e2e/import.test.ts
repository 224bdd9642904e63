/** `kanmon import` as its operator runs it. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import * as ExportFile from "@kanmon/monitoring/testing/backup/ExportFile.ts"
import * as Exporting from "@kanmon/monitoring/testing/backup/Exporting.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const secret = "the secret of the old installation, long enough"

describe("kanmon import", () => {
  it.live("leaves no secret behind if it refuses an export with another secret", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make()
      const file = path.join(folder, "kanmon.export")
      yield* ExportFile.write(file, (write) =>
        Exporting.run({ version: "0.1.0", secret: Redacted.make(secret), unevaluated: Stream.empty, write })
      ).pipe(Effect.provide(TestDatabase.database))

      const directory = path.join(folder, "data")
      const env = { KANMON_DATA_DIR: directory, DATABASE_URL: Redacted.value(yield* TestDatabase.empty) }
      const refused = yield* kanmon(["import", file], env)
      assert.strictEqual(refused.code, 1, refused.output)
      assert.include(refused.output, "KANMON_SECRET")
      assert.notInclude(yield* Effect.promise(() => fs.readdir(directory)), "secret")

      const imported = yield* kanmon(["import", file], { ...env, KANMON_SECRET: secret })
      assert.strictEqual(imported.code, 0, imported.output)
    }).pipe(Effect.scoped, Effect.provide(SecureRandom.layerWebCrypto))
  )
})
