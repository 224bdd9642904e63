/** The JSON Schema of the files of `kanmon apply`: it takes what the command takes, and complains about what people mistype. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import * as Decoding from "@kanmon/as-code/Decoding"
import * as FileSchema from "@kanmon/as-code/FileSchema"
import * as Source from "@kanmon/as-code/Source"
import { bundled } from "../../apps/server/src/plugins.gen.ts"

const kinds = await Effect.runPromise(load(bundled))
const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(FileSchema.make(kinds))

/** What editors would underline; formats are not looked at. */
const complaints = (file: unknown): ReadonlyArray<string> => {
  validate(file)
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
  )
}

/** What the command would say. */
const mistakes = (text: string): ReadonlyArray<string> => {
  const source = Source.read([{ name: "kanmon.yaml", text }], { SECRET: "0123456789abcdef0123456789abcdef" })
  return [...source.mistakes, ...Decoding.decode(source.entries, kinds).mistakes].map(
    ({ path, message }) => `${path}: ${message}`
  )
}

const types = [
  ...[...kinds.checks.values()].map(({ example, type }) => ({ section: "monitors", type, body: { type, ...example } })),
  ...[...kinds.channels.values()].map(({ example, type }) => ({
    section: "channels",
    type,
    body: { type, config: example }
  }))
]

describe("the schema of files", () => {
  it("accepts the example in the guide", async () => {
    const name = path.resolve(import.meta.dirname, "../../docs/examples/as-code/kanmon.yaml")
    const text = await fs.readFile(name, "utf8")
    const asWritten = { TELEGRAM_BOT_TOKEN: "${TELEGRAM_BOT_TOKEN}", HOOK_TOKEN: "${HOOK_TOKEN}" }
    const { entries, mistakes } = Source.read([{ name, text }], asWritten)
    const file = Map.groupBy(entries, ({ section }) => section)
    assert.deepStrictEqual(mistakes, [])
    assert.deepStrictEqual(
      complaints(
        Object.fromEntries(
          [...file].map(([section, own]) => [section, Object.fromEntries(own.map(({ key, value }) => [key, value]))])
        )
      ),
      []
    )
  })

  it.each(types)("accepts $section of type $type, like the command", ({ body, section }) => {
    const file = { [section]: { one: body } }
    assert.deepStrictEqual([complaints(file), mistakes(JSON.stringify(file))], [[], []])
    const mistyped = { [section]: { one: { ...body, nmae: "x" } } }
    assert.lengthOf(
      complaints(mistyped).filter((text) => text.includes("nmae")),
      1
    )
    assert.lengthOf(mistakes(JSON.stringify(mistyped)), 1)
  })

  it("accepts variables in formatted strings", () => {
    const config = { url: "${SHOP_URL}" }
    assert.deepStrictEqual(complaints({ monitors: { one: { type: "http", ...config } } }), [])
    assert.deepStrictEqual(
      complaints({ channels: { one: { type: "telegram", config: { botToken: "${SECRET}", chatId: "@x" } } } }),
      []
    )
  })

  it.each([
    { pages: { one: { slug: "acme", monitorIds: [] } } },
    { rules: { one: { channelIds: ["ch_1"] } } },
    { monitors: { "Not a key": { type: "ping", host: "a.example" } } },
    { monitors: { one: { host: "a.example" } } },
    { monitors: { one: { type: "pnig", host: "a.example" } } },
    { monitors: { one: { key: "two", type: "ping", host: "a.example" } } },
    { maintenance: { one: { scheduledStart: "2026-12-06T02:00:00Z" } } },
    {
      maintenance: {
        one: { scheduledStart: "2026-12-06T02:00:00Z", scheduledEnd: "2026-12-06T03:00:00Z", status: "resolved" }
      }
    },
    { monitor: {} }
  ])("complains about %j, as the command does", (file) => {
    assert.isNotEmpty(complaints(file))
    assert.isNotEmpty(mistakes(JSON.stringify(file)))
  })
})
