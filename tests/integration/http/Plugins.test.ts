/** Every account and key can list the plugins. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { withoutPlaces } from "@kanmon/platform/WithoutPlaces"
import { recordOf } from "@kanmon/monitoring/testing/plugins/PluginsHandlers.ts"
import { call, person, refused } from "./Server.ts"
import { shared } from "./SharedServer.ts"

layer(shared, { excludeTestServices: true })("the plugins over HTTP", (it) => {
  it.effect("lists plugins with their types, for a key and for a session", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const answer = yield* ada.withKey("GET", "/plugins")
      assert.strictEqual(answer.status, 200)
      const tcp = answer.body.find(({ name }: { readonly name: string }) => name === "@kanmon/check-tcp")
      assert.deepStrictEqual(tcp, {
        name: "@kanmon/check-tcp",
        origin: "bundled",
        status: "loaded",
        checks: [{ type: "tcp", title: "TCP", summary: "Opens a TCP connection to a port." }],
        channels: [],
        auths: [],
        refused: []
      })
      assert.deepStrictEqual((yield* ada.withSession("GET", "/plugins")).body, answer.body)
    })
  )

  it.effect("describes the types of channels, with what a form needs of each", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body, status } = yield* ada.withKey("GET", "/plugins/channel-types")
      assert.strictEqual(status, 200)
      const find = (type: string) => body.find((each: { readonly type: string }) => each.type === type)
      const { config } = find("webhook").schema.properties
      assert.strictEqual(find("webhook").ready, true)
      assert.deepStrictEqual(config.required, ["url"])
      assert.strictEqual(config.properties.secret.writeOnly, true)
      assert.isString(config.properties.url.description)
      // Without a mail server of the operator.
      assert.strictEqual(find("email").ready, false)
    })
  )

  it.effect("tells forms which fields depend on which", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const { body } = yield* ada.withKey("GET", "/plugins/check-types")
      const { properties } = body.find(({ type }: { readonly type: string }) => type === "http").schema
      assert.deepStrictEqual(properties.token["x-shown-when"], { field: "authentication", values: ["bearer"] })
      assert.deepStrictEqual(properties.body["x-shown-when"], { field: "method", values: ["POST", "PUT", "PATCH"] })
      assert.deepStrictEqual(properties.jsonEquals["x-shown-when"], { field: "jsonPath" })
      assert.notProperty(properties.url, "x-shown-when")
      const heartbeat = body.find(({ type }: { readonly type: string }) => type === "heartbeat").schema
      assert.deepStrictEqual(heartbeat.properties.timezone["x-shown-when"], { field: "schedule" })
    })
  )

  it.effect("refuses requests without a credential", () =>
    Effect.gen(function* () {
      refused(yield* call("GET", "/plugins"), 401, "unauthorized")
    })
  )
})

describe("a refusal", () => {
  it("does not reveal paths on the operator's machine", () => {
    const record = recordOf({
      name: undefined,
      source: { name: "/srv/kanmon/plugins/check-x", outside: true, load: () => Promise.reject(new Error("unused")) },
      checks: [],
      channels: [],
      auths: [],
      refused: ["Cannot find package 'ioredis' imported from /srv/kanmon/plugins/check-x/src/index.ts"]
    })
    assert.deepInclude(record, { name: "…/check-x", origin: "outside", status: "refused" })
    assert.deepStrictEqual(record.refused, ["Cannot find package 'ioredis' imported from …/index.ts"])
  })

  it.each([
    ["there is no /home/op/check-x", "there is no …/check-x"],
    ["at file:///srv/a/b.ts:3", "at …/b.ts:3"],
    ["see https://example.org/a/b/c", "see https://example.org/a/b/c"],
    ["1/2 or application/json", "1/2 or application/json"]
  ])("is told as it is but for paths: %s", (text, told) => assert.strictEqual(withoutPlaces(text), told))
})
