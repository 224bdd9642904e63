/** What the reference of roles promises about API keys is what the operations accept. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")
const page = readFileSync(path.join(root, "docs/reference/roles.md"), "utf8")
const document = JSON.parse(readFileSync(path.join(root, "docs/reference/openapi.json"), "utf8"))

/** The cells of each row of a table. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))

describe("the reference of roles", () => {
  it("says of every operation with which credentials it can be called", () => {
    const operations = rows.flatMap((cells) => (/^[A-Z]+ \//.test(cells[1]!) ? [cells] : []))
    assert.isAbove(operations.length, 150)
    for (const [, name, , , , credentials] of operations) {
      const [method, at] = name!.split(" ")
      const { security = [] } = document.paths[at!][method!.toLowerCase()]
      const accepted = new Set(security.flatMap((one: object) => Object.keys(one)))
      assert.strictEqual(credentials!.split(", ").includes("key"), accepted.has("apiKey"), name)
      assert.strictEqual(credentials!.split(", ").includes("session"), accepted.has("session"), name)
    }
  })

  it("gives keys no permission of operations that need a session", () => {
    const keys = new Map(rows.filter((cells) => cells.length === 9).map((cells) => [cells[1], cells[7]]))
    assert.deepInclude(Object.fromEntries(keys), {
      "monitors.write": "yes",
      "secrets.read": "yes",
      "projectMembers.read": "",
      "projectMembers.write": ""
    })
  })
})
