import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { messageOf, queryOf } from "../src/api/message.ts"

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })

describe("the message of a route", () => {
  it("has each parameter as one segment of the path, with any content", () => {
    fc.assert(
      fc.property(text, text, (organizationId, domain) => {
        const { method, path } = messageOf("POST /organizations/:organizationId/sso/domains/:domain/verify", {
          params: { organizationId, domain }
        })
        assert.strictEqual(method, "POST")
        const segments = path.split("/").map((segment) => decodeURIComponent(segment))
        assert.deepStrictEqual(segments, ["", "organizations", organizationId, "sso", "domains", domain, "verify"])
      })
    )
  })

  it("has the query as it was given: nothing of what is undefined, and lists as repetitions", () => {
    fc.assert(
      fc.property(fc.array(text), fc.option(text, { nil: undefined }), fc.nat(), (types, cursor, limit) => {
        const query = new URLSearchParams(queryOf({ types, cursor, limit }))
        assert.deepStrictEqual(query.getAll("types"), types)
        assert.deepStrictEqual(query.getAll("cursor"), cursor === undefined ? [] : [cursor])
        assert.deepStrictEqual(query.getAll("limit"), [String(limit)])
      })
    )
  })

  it("subscribes to kinds of events by one text", () => {
    const { path } = messageOf("GET /events", { query: { types: "kanmon.alert.*,kanmon.monitor.*" } })
    const [route, query] = path.split("?")
    assert.strictEqual(route, "/events")
    assert.strictEqual(new URLSearchParams(query).get("types"), "kanmon.alert.*,kanmon.monitor.*")
  })
})
