import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../../../tests/support/Folder.ts"
import { loadSecrets, secretNames } from "../src/EnvironmentFile.js"

describe("files of secret settings", () => {
  it.effect("sets the setting to the content, without the line break at its end", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make({ secret: "line one\nline two\n", url: "postgres://db/kanmon" })
      const env: Record<string, string | undefined> = {
        KANMON_SECRET: "",
        KANMON_SECRET_FILE: path.join(folder, "secret"),
        DATABASE_URL_FILE: path.join(folder, "url"),
        KANMON_PORT_FILE: "/left/alone"
      }
      assert.isUndefined(loadSecrets(env))
      assert.deepStrictEqual(env, {
        KANMON_SECRET: "line one\nline two",
        DATABASE_URL: "postgres://db/kanmon",
        KANMON_PORT_FILE: "/left/alone"
      })
    }).pipe(Effect.scoped)
  )

  it.effect("names a file that is missing or empty, and a setting that is given twice, without its value", () =>
    Effect.gen(function* () {
      const folder = yield* Folder.make({ empty: "\n", other: "smtp://other\n" })
      assert.match(loadSecrets({ SMTP_URL_FILE: path.join(folder, "none") })!, /^SMTP_URL_FILE: ENOENT/)
      assert.match(loadSecrets({ SMTP_URL_FILE: path.join(folder, "empty") })!, /^SMTP_URL_FILE: .* is empty$/)
      const both = loadSecrets({ SMTP_URL: "smtp://hush", SMTP_URL_FILE: path.join(folder, "other") })!
      assert.match(both, /^SMTP_URL_FILE: SMTP_URL is set, too/)
      assert.notInclude(both, "hush")
      assert.isUndefined(loadSecrets({ SMTP_URL: "smtp://other", SMTP_URL_FILE: path.join(folder, "other") }))
    }).pipe(Effect.scoped)
  )

  it.effect("holds for each setting that the server keeps secret, and the guide names them", () =>
    Effect.promise(async () => {
      const root = path.resolve(import.meta.dirname, "../../..")
      const sources = await Promise.all(
        ["Settings.ts", "SignInSettings.ts"].map((file) =>
          fs.readFile(path.join(root, "apps/server/src", file), "utf8")
        )
      )
      const kept = [...sources.join("").matchAll(/Config\.Redacted\("([A-Z_]+)"\)/g)].map(([, name]) => name!)
      const ofChannels = ["SMTP_URL", "TWILIO_AUTH_TOKEN", "TWILIO_AUTH_TOKEN_PREVIOUS", "TWILIO_SIGNATURE_KEY"]
      assert.sameMembers([...kept, ...ofChannels], [...secretNames])
      const guide = await fs.readFile(path.join(root, "docs/guide/run.md"), "utf8")
      const [paragraph = ""] = /This holds for [^]*?\n\n/.exec(guide) ?? []
      for (const name of secretNames) assert.include(paragraph, `\`${name}\``)
    })
  )
})
