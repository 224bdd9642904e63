/** The names that new channels get by themselves. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { destinationIn, unlike } from "../src/forms/destination.ts"

const field = (name: string, more: object = {}) =>
  ({ name, kind: "text", required: true, isSecret: false, ...more }) as const
const of = (text: string, more: object = {}) => destinationIn([field("to", more)], { to: text })

describe("the destination of a channel", () => {
  it.each([
    ["ada@example.org", "ada@…"],
    ["+4915123456789", "…6789"],
    ["https://hooks.example.org/services/T0/s3cret?key=1", "hooks.example.org"],
    ["-1001234567890", "-1001234567890"],
    ["  ", undefined],
    ["https://", undefined],
    ["x".repeat(31), undefined]
  ])("of %s is %s in its name", (text, shown) => assert.strictEqual(of(text), shown))

  it("is taken from no secret, no number and nothing that can be left out", () => {
    for (const more of [{ isSecret: true }, { kind: "number" }, { required: false }]) assert.isUndefined(of("a", more))
    assert.strictEqual(
      destinationIn([field("token", { isSecret: true }), field("chat")], { token: "t", chat: "@ops" }),
      "@ops"
    )
  })

  it("shows neither the path nor the query nor the user of an address", () =>
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { hostname, pathname } = new URL(url)
        assert.strictEqual(of(url), hostname)
        if (pathname.length > 3 && !hostname.includes(pathname)) assert.notInclude(of(url) ?? "", pathname)
      })
    ))

  it("makes names that no other channel has", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("Slack", "Slack 2", "Slack 3")), (others) =>
        assert.notInclude(others, unlike("Slack", others))
      )
    ))
})
