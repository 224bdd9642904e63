/**
 * Every text that a request carries has a maximum that is looked at before anything else reads the text, so that a large body costs
 * no more than reading it.
 */
import { boundedText, filledText, filteredText, patternText, unboundedTexts } from "@kanmon/domain/BoundedText"
import type { Plugin } from "@kanmon/core/Plugin"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import { growth } from "@kanmon/testkit/Work"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { endpoints } from "../support/ContractEndpoints.ts"

const partsOf = ({ headers, params, payload, query }: HttpApiEndpoint.Top): ReadonlyArray<[string, Schema.Top]> =>
  Object.entries({
    params: [params],
    query: [query],
    headers: [headers],
    body: [...payload.values()].flatMap(({ schemas }) => schemas)
  }).flatMap(([part, schemas]) =>
    schemas.flatMap((schema): Array<[string, Schema.Top]> => (schema === undefined ? [] : [[part, schema]]))
  )

describe("texts of requests", () => {
  it("have a maximum, in every parameter, query, header and body of the contract", () => {
    assert.isAbove(endpoints.length, 100)
    const found = endpoints.flatMap((endpoint) =>
      partsOf(endpoint).flatMap(([part, schema]) =>
        unboundedTexts(schema).map((path) => `${endpoint.method} ${endpoint.path} ${part} ${path}`)
      )
    )
    assert.deepStrictEqual(found, [])
  })

  it("have a maximum in the settings of every plugin that comes with Kanmon", async () => {
    const found: Array<string> = []
    for (const { load, name } of bundled) {
      const { channels = [], checks = [] } = ((await load()) as { readonly default: Plugin }).default
      const settings = channels.map((channel) => ({ ...channel, config: channel.settings }))
      for (const { config, type } of [...channels, ...checks, ...settings])
        found.push(...unboundedTexts(config).map((path) => `${name} ${type} ${path}`))
    }
    assert.deepStrictEqual(found, [])
  })

  it("take no decoder without one", () => {
    for (const field of [
      Schema.String,
      Schema.String.check(Schema.isMaxLength(10)),
      Schema.String.check(Schema.isPattern(/^\S+@\S+$/), Schema.isMaxLength(10).abort()),
      Schema.NullOr(Schema.NonEmptyString),
      Schema.FiniteFromString,
      Schema.Array(Schema.Struct({ deep: Schema.String }))
    ])
      assert.throws(() => decodeStrict(Schema.Struct({ field })), "Text without a maximum in a request: field")
    decodeStrict(Schema.Struct({ field: Schema.NullOr(boundedText(10)) }))
  })

  it("are read no further when they are longer", async () => {
    const quadratic = /^\S+@\S+$/
    for (const text of [
      boundedText(100).check(Schema.isPattern(quadratic)),
      filledText(100).check(Schema.isPattern(quadratic)),
      patternText(100, quadratic, "Expected an address"),
      filteredText(100, (text) => (quadratic.test(text) ? undefined : "Expected an address"))
    ]) {
      const decode = decodeStrict(Schema.Struct({ text }))
      assert.isTrue(Result.isSuccess(decode({ text: "a@b" })))
      const grown = await growth((size) => decode({ text: `${"@".repeat(size)} x` }), 1_048_576)
      assert.isBelow(grown, 1.6)
    }
  })
})
