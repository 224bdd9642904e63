/** Fields that a form shows only with a value of another one, as a plugin's schema says. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { fieldsOf, isShown } from "../src/forms/schema.ts"

/** The schema of a type that Kanmon does not know, as the API gives it. */
const schema = {
  type: "object",
  properties: {
    mode: { type: "string", enum: ["plain", "signed"], default: "plain" },
    seal: { type: "string", "x-shown-when": { field: "mode", values: ["signed"] } },
    retries: { type: "integer" },
    pause: { type: "integer", "x-shown-when": { field: "retries" } },
    lost: { type: "string", "x-shown-when": { field: "gone" } },
    odd: { type: "string", "x-shown-when": "mode" },
    plain: { type: "string", "x-shown-when": { field: "mode", values: ["plain"] } },
    flag: { type: "boolean", default: false },
    detail: { type: "string", "x-shown-when": { field: "flag", values: [true] } }
  }
}

const fields = fieldsOf(schema)

const shownOf = (draft: Readonly<Record<string, string>>, wrong: Readonly<Record<string, string>> = {}) =>
  fields.filter((field) => isShown(field, fields, draft, wrong)).map(({ name }) => name)

const always = ["mode", "retries", "lost", "odd", "flag"]

describe("a field that depends on another one", () => {
  it("is shown with one of the values, a default among them", () => {
    assert.sameMembers(shownOf({}), [...always, "plain"])
    assert.sameMembers(shownOf({ mode: "signed" }), [...always, "seal"])
    assert.sameMembers(shownOf({ flag: "true" }), [...always, "plain", "detail"])
  })

  it("is shown with any value where none is named", () =>
    fc.assert(fc.property(fc.integer(), (retries) => assert.include(shownOf({ retries: String(retries) }), "pause"))))

  it("stays while it has a value or an error, so that no hidden value is sent", () =>
    fc.assert(
      fc.property(fc.constantFrom("seal", "pause", "plain", "detail"), fc.string({ minLength: 1 }), (name, text) => {
        assert.include(shownOf({ mode: "signed", [name]: text }), name)
        assert.include(shownOf({ mode: "signed" }, { [name]: text }), name)
      })
    ))
})
