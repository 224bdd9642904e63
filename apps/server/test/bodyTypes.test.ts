/** The types of bodies from invented plugins; those of the real plugins are compiled. */
import type { Channel } from "@kanmon/core/Channel"
import type { Check } from "@kanmon/core/Check"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { bodyTypes } from "../scripts/bodyTypes.ts"

const check = (type: string, fields: Schema.Struct.Fields, more: object = {}): Check =>
  ({
    type,
    summary: "Looks.",
    config: Schema.Struct(fields),
    example: {},
    defaults: { timeout: 10 },
    normalize: (config: Schema.JsonObject) => Result.succeed({ port: 6379, ...config }),
    ...more
  }) as unknown as Check

const fieldsOf = (fields: Schema.Struct.Fields): string => {
  const [, body] = /interface KnockMonitor (\{[\s\S]*?\n?\}\n)\n/.exec(bodyTypes([check("knock", fields)], []))!
  return body!
}

describe("the types of bodies", () => {
  it("have the fields of the schema, as they are sent", () =>
    assert.strictEqual(
      fieldsOf({
        host: Schema.NonEmptyString.annotate({ description: "Where to knock" }),
        port: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(6379))),
        way: Schema.optionalKey(Schema.Literals(["soft", "hard"])),
        codes: Schema.optionalKey(Schema.Array(Schema.Union([Schema.Int, Schema.String]))),
        note: Schema.NullOr(Schema.String),
        headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
        rules: Schema.Array(Schema.Struct({ above: Schema.Finite, loud: Schema.optionalKey(Schema.Boolean) })),
        "x-any": Schema.Json
      }),
      `{
  /** Where to knock */
  readonly host: string
  /** Default: \`6379\` */
  readonly port?: number
  readonly way?: "soft" | "hard"
  readonly codes?: ReadonlyArray<number | string>
  readonly note: string | null
  readonly headers?: { readonly [name: string]: string }
  readonly rules: ReadonlyArray<{
    readonly above: number
    readonly loud?: boolean
  }>
  readonly "x-any": Json
}
`
    ))

  it("cannot be ended by a description", () =>
    assert.include(
      fieldsOf({ host: Schema.String.annotate({ description: "Matches */\n}" }) }),
      "  /** Matches *\\/ } */\n"
    ))

  it("list every type under its name", () => {
    const channel = { type: "gong", summary: "Rings.", config: Schema.Struct({}), secrets: [], example: {} }
    const text = bodyTypes(
      [check("redis-ping", { host: Schema.String }), check("bell", {}, { passive: {} })],
      [channel as unknown as Channel]
    )
    assert.include(text, `readonly "redis-ping": { readonly request: RedisPingMonitor }`)
    assert.include(text, `readonly bell: { readonly request: BellMonitor; readonly passive: true }`)
    assert.include(text, `readonly gong: { readonly config: GongChannel }`)
  })
})
