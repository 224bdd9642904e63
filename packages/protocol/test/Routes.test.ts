import { assert, describe, it } from "vitest"
import { methodsOf } from "../src/Routes.ts"

describe("the methods of an address", () => {
  it.each([
    ["/api/v1/monitors", ["GET", "POST", "PATCH", "DELETE"]],
    ["/api/v1/monitors/", ["GET", "POST", "PATCH", "DELETE"]],
    ["/api/v1/monitors/test", ["POST"]],
    ["/api/v1/monitors/mon_1", ["GET", "PATCH", "DELETE"]],
    ["/api/v1/heartbeat/token/start", ["GET", "POST"]],
    ["/api/v1/auth/verify-email", ["GET", "POST"]],
    ["/api/v1/openapi.json", ["GET"]],
    ["/", ["GET"]],
    ["/api/v1/nothing", []],
    ["/metrics", ["GET"]],
    ["/status/acme/feed.atom", ["GET"]],
    ["/monitors", []]
  ] as const)("are found for %s", (path, methods) => {
    assert.sameMembers([...methodsOf(path)], [...methods])
  })
})
