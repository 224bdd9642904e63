import { assert, beforeAll, describe, it } from "@effect/vitest"
import { load } from "../../src/locales/text.ts"
import { errorOf } from "../../src/api/refusal.ts"

const page = (status: number) => new Response(`<html><h1>${status}</h1></html>`, { status })

beforeAll(() => load("en"))

describe("the error of a response", () => {
  it("is what Kanmon says", async () => {
    const { code, message, status } = await errorOf(
      Response.json({ code: "conflict", detail: "There is one already." }, { status: 409 })
    )
    assert.deepStrictEqual(
      { code, message, status },
      { code: "conflict", message: "There is one already.", status: 409 }
    )
  })

  // HTTP/2 has no words for a status.
  it("is a sentence where something on the way has refused the request", async () => {
    assert.strictEqual((await errorOf(page(413))).message, "This is too large for the proxy in front of Kanmon.")
    assert.strictEqual(
      (await errorOf(page(502))).message,
      "The answer has status 502 and no explanation. It may come from a proxy in front of Kanmon."
    )
  })
})
