import { assert, describe, it } from "@effect/vitest"
import * as Table from "../src/cli/Table.ts"

describe("the table of a command", () => {
  it("lines up its columns", () =>
    assert.strictEqual(
      Table.lines(
        ["ID", "NAME"],
        [
          ["org_1", "Acme"],
          ["o", ""]
        ]
      ),
      "ID     NAME\norg_1  Acme\no"
    ))

  it("shows names without what moves the cursor, colours or turns text around", () => {
    assert.strictEqual(Table.plain("a\u001B[2J\nb\u202Ec"), "a?[2J?b?c")
    assert.notInclude(Table.fields([["name", "x\u0007"]]), "\u0007")
  })
})
