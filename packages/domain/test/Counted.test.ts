import { assert, describe, it } from "@effect/vitest"
import { counted } from "../src/Counted.ts"

describe("counted", () => {
  it("has the plural for every number but one", () =>
    assert.deepStrictEqual(
      [
        counted(0, "row"),
        counted(1, "row"),
        counted(2, "row"),
        counted(1, "entry", "entries"),
        counted(3, "entry", "entries")
      ],
      ["0 rows", "1 row", "2 rows", "1 entry", "3 entries"]
    ))
})
