/** The OpenAPI document reads well, its examples fit their schemas, and code generators get usable types from it. */
import { assert, describe, it } from "@effect/vitest"
import { load } from "@kanmon/core/PluginHost"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { Api, basePath } from "@kanmon/protocol/Api"
import * as OpenApiDocument from "@kanmon/protocol/OpenApiDocument"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import { inPlace } from "../support/ReadableDocument.ts"

const kinds = await Effect.runPromise(load(bundled))
const document = OpenApiDocument.make(kinds, "http://127.0.0.1:3000", "1.0.0") as any

const operations = Object.entries<any>(inPlace(document).paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation }))
)

const verbs =
  /^(Accept|Acknowledge|Add|Approve|Change|Check|Compare|Confirm|Create|Decline|Delete|Deny|Disable|Enable|Escalate|Get|Invite|List|Open|Page|Raise|Receive|Remove|Rename|Report|Resend|Reset|Resolve|Revoke|Rotate|Send|Show|Sign|Snooze|Start|Stop|Stream|Test|Unacknowledge|Update|Verify)$/

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat("date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
ajv.addFormat("email", /^[^@\s]+@[^@\s]+$/)
ajv.addFormat("uri", (text) => URL.canParse(text))
ajv.addSchema({ $id: "document", components: document.components })

/** What is wrong with an example; nothing when it fits. */
const complaints = (schema: unknown, example: unknown): string => {
  const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
  return ajv.validate(whole, example) ? "" : ajv.errorsText()
}

/** The bodies that an operation takes in any form, and those in JSON that it answers when it succeeds. */
const bodiesOf = (operation: any): ReadonlyArray<readonly [what: string, body: any]> => [
  ...Object.entries<any>(operation.requestBody?.content ?? {}),
  ...Object.entries<any>(operation.responses).flatMap(([status, { content }]): ReadonlyArray<[string, any]> => {
    const body = content?.["application/json"]
    return status.startsWith("2") && body !== undefined ? [[status, body]] : []
  })
]

describe("an operation of the OpenAPI document", () => {
  it("has a unique camelCase operationId", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepStrictEqual(
      ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id)),
      []
    )
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("has a summary of two to five words that begins with a verb", () => {
    const bad = operations.filter(({ operation: { summary } }) => {
      const words = String(summary).split(" ")
      return words.length < 2 || words.length > 5 || !verbs.test(words[0]!) || /[.;:,]/.test(summary)
    })
    assert.deepStrictEqual(
      bad.map(({ name, operation }) => `${name}: ${operation.summary}`),
      [],
      "Two to five words without punctuation, of which the first is in `verbs`, above; a new verb is added there"
    )
  })

  it("has a description in whole sentences", () => {
    const bad = operations.filter(({ operation: { description } }) => !/^[A-Z`].{15,}\.$/s.test(description ?? ""))
    assert.deepStrictEqual(
      bad.map(({ name }) => name),
      []
    )
  })

  it("has an example that fits the schema, for every body", () => {
    const bad = operations.flatMap(({ name, operation }) =>
      bodiesOf(operation).flatMap(([what, { example, schema }]) => {
        const wrong = example === undefined ? "no example" : complaints(schema, example)
        return wrong === "" ? [] : [`${name} ${what}: ${wrong}`]
      })
    )
    assert.deepStrictEqual(bad, [])
  })

  it("belongs to a tag that is declared and described, and no tag is empty", () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    assert.sameMembers(
      [...used],
      document.tags.map(({ name }: { readonly name: string }) => name)
    )
    for (const { description, name } of document.tags) assert.match(description ?? "", /^[A-Z].{15,}\.$/, name)
  })
})

describe("a problem in the OpenAPI document", () => {
  const references = Object.values<any>(document.paths).flatMap((methods) =>
    Object.values<any>(methods).flatMap(({ responses }) =>
      Object.values<any>(responses).flatMap(({ $ref }) => $ref ?? [])
    )
  )

  it("is described once, in the components", () => {
    const used = new Set(references.map((reference) => reference.split("/").at(-1)))
    assert.sameMembers([...used], Object.keys(document.components.responses))
    const alike = Map.groupBy(Object.entries<any>(document.components.responses), ([, response]) =>
      JSON.stringify(response)
    )
    assert.deepStrictEqual(
      [...alike.values()].filter(({ length }) => length > 1).map((twins) => twins.map(([name]) => name)),
      []
    )
  })
})

describe("a schema of the OpenAPI document", () => {
  it("has one name, without a number, and says something", () => {
    const bad = Object.entries<any>(document.components.schemas).filter(
      ([name, schema]) => /_\d+$/.test(name) || Object.keys(schema).length === 0
    )
    assert.deepStrictEqual(
      bad.map(([name]) => name),
      [],
      "Describe each body of `Body.sent` under its name in packages/protocol/src/RequestSchemas.ts"
    )
  })
})

/** Every schema below a node, references followed. */
function* schemasBelow(node: any, seen = new Set<unknown>()): Generator<any> {
  if (typeof node !== "object" || node === null || seen.has(node)) return
  seen.add(node)
  yield node
  if (typeof node.$ref === "string") yield* schemasBelow(document.components.schemas[node.$ref.split("/").at(-1)], seen)
  for (const inner of Object.values(node)) yield* schemasBelow(inner, seen)
}

describe("a request body of the OpenAPI document", () => {
  const requests = operations.flatMap(({ name, operation }) =>
    Object.values<any>(operation.requestBody?.content ?? {}).map(({ schema }) => ({ name, schema }))
  )

  // openapi-typescript, among others, makes a property required when it has this keyword.
  it("has no `default`, so that generated types leave optional fields optional", () => {
    const bad = requests.filter(({ schema }) => [...schemasBelow(schema)].some((node) => "default" in node))
    assert.deepStrictEqual([...new Set(bad.map(({ name }) => name))], [])
  })

  it("describes the meaning of an absent field", () => {
    const { properties } = document.components.schemas["MonitorRequest.http"]
    assert.include(properties.interval.description, "Default: 60.")
    assert.include(properties.method.description, "Default: `GET`.")
  })

  it("has examples that fit, in every named schema", () => {
    const bad = Object.entries<any>(document.components.schemas).flatMap(([name, { examples = [], ...schema }]) =>
      examples
        .flatMap((example: unknown) => complaints(schema, example) || [])
        .map((wrong: string) => `${name}: ${wrong}`)
    )
    assert.deepStrictEqual(bad, [])
  })
})

/** Every object of the document that could be a schema, with its place. */
const schemasIn = (node: unknown, place: string): ReadonlyArray<readonly [place: string, schema: any]> => {
  if (typeof node !== "object" || node === null) return []
  const inner = Object.entries(node).flatMap(([name, value]) =>
    ["example", "examples", "enum", "const", "default"].includes(name) ? [] : schemasIn(value, `${place}/${name}`)
  )
  return Array.isArray(node) ? inner : [[place, node] as const, ...inner]
}

describe("the OpenAPI document for its readers", () => {
  it("says of every array what its items are", () => {
    const arrays = schemasIn({ paths: document.paths, components: document.components }, "").filter(
      ([, { type }]) => type === "array"
    )
    assert.isAbove(arrays.length, 100)
    assert.deepStrictEqual(
      arrays.filter(([, { items }]) => typeof items !== "object").map(([place]) => place),
      []
    )
  })

  it("has a successful or a default response of every operation", () => {
    assert.deepStrictEqual(
      operations
        .filter(
          ({ operation }) => !Object.keys(operation.responses).some((status) => /^(?:2\d\d|default)$/.test(status))
        )
        .map(({ name }) => name),
      []
    )
  })
})

describe("a group of the SDK", () => {
  it("is called as its path is", () => {
    const others = Object.values(Api.groups).flatMap((group: any) => {
      const paths = Object.values<any>(group.endpoints).map(
        ({ path }) => String(path).slice(basePath.length).split("/")[1]!
      )
      const [first] = paths
      const called = first!.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
      // Groups below the path of another group, such as the members of a project, have names of their own.
      const isAlone = Object.values(Api.groups).every(
        (other: any) =>
          other === group ||
          Object.values<any>(other.endpoints).every(({ path }) => !`${path}/`.startsWith(`${basePath}/${first}/`))
      )
      return isAlone && called !== group.identifier ? [`${group.identifier}: ${first}`] : []
    })
    // Shorter, or clearer, than their paths.
    assert.deepStrictEqual(others, ["invitationOffers: invitations", "audit: audit-log", "operator: installation"])
  })
})
