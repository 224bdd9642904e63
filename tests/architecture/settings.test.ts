/** The guide names every setting there is, and no other. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { agreed } from "../../apps/server/src/AgreedSettings.ts"
import * as RoleSettings from "../support/RoleSettings.ts"

const root = path.resolve(import.meta.dirname, "../..")
const name = "(?:KANMON|DATABASE|NATS|OTEL|SMTP|STRIPE|TWILIO|ACME|RDAP)_[A-Z_]+"

const names = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1]!))].sort()

/** The files that read the environment. */
const sources = async (): Promise<string> => {
  const files = ["Settings.ts", "SignInSettings.ts"].map((file) => path.join(root, "apps/server/src", file))
  return (await Promise.all(files.map((file) => fs.readFile(file, "utf8")))).join("\n")
}

it("documents each setting", async () => {
  const source = await sources()
  const guide = await fs.readFile(path.join(root, "docs/guide/run.md"), "utf8")
  assert.deepStrictEqual(
    names(guide, new RegExp(`^\\| \`(${name})\` `, "gm")),
    names(source, new RegExp(`"(${name})"`, "g"))
  )
})

it("documents the roles of each setting", async () => {
  const source = await sources()
  const roles = RoleSettings.read()
  assert.deepStrictEqual(
    [...roles.keys()].sort(),
    names(source, /"((?:KANMON|DATABASE|NATS|OTEL|STRIPE|ACME|RDAP)_[A-Z0-9_]+)"/g)
  )
})

/** Read by the api and by the engine, and rightly different; the database itself compares the secret. */
const ownOfEach = [
  "DATABASE_URL",
  "KANMON_DATA_DIR",
  "KANMON_HOST",
  "KANMON_LOG_LEVEL",
  "KANMON_METRICS_PORT",
  "KANMON_ROLES",
  "KANMON_SECRET",
  "NATS_URL",
  "OTEL_EXPORTER_OTLP_ENDPOINT"
]

it("compares each setting that decides for the api and for the engine between processes", () => {
  const both = [...RoleSettings.read()].flatMap(([name, roles]) =>
    roles.has("api") && roles.has("engine") ? [name] : []
  )
  assert.sameMembers([...Object.keys(agreed), ...ownOfEach], both)
})
