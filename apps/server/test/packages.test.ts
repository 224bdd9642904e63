/** Packing of the workspace's packages; `npm run test:packages` tries the tarballs. */
import { assert, describe, it } from "@effect/vitest"
import { published, withoutSources } from "../scripts/packages.ts"

const manifest = {
  name: "@kanmon/x",
  version: "1.2.3",
  private: true,
  description: "An example",
  license: "Apache-2.0",
  publishConfig: { access: "public" },
  dependencies: { "@kanmon/domain": "1.2.3", "ipaddr.js": "2.5.0" },
  peerDependencies: { effect: "~4.1.0" }
}

describe("a published manifest", () => {
  it("exports each module by its name, types first, and nothing else", () => {
    assert.deepStrictEqual(Object.entries(published(manifest, ["Check"]).exports), [
      ["./Check", { types: "./dist/Check.d.ts", default: "./dist/Check.js" }],
      ["./package.json", "./package.json"]
    ])
  })

  it("asks for our packages exactly, and leaves room for others' repairs", () => {
    const { dependencies, peerDependencies } = published(manifest, [])
    assert.deepStrictEqual(dependencies, { "@kanmon/domain": "1.2.3", "ipaddr.js": "^2.5.0" })
    assert.deepStrictEqual(peerDependencies, manifest.peerDependencies)
  })

  it("may be published, and says where the project lives when the root says so", () => {
    const repository = { type: "git", url: "git+https://git.example/kanmon.git" }
    const made = published(manifest, [], { repository })
    assert.notProperty(made, "private")
    assert.notProperty(made, "homepage")
    assert.strictEqual(made.repository, repository)
  })
})

describe("a published declaration", () => {
  it.each([
    [`import { A } from "./A.ts";`, `import { A } from "./A.js";`],
    [`export type { B } from "../B.ts";`, `export type { B } from "../B.js";`],
    [`import "./internal/C.ts";`, `import "./internal/C.js";`],
    [`const a: import("./A.ts").A;`, `const a: import("./A.js").A;`],
    [`import { A } from "@kanmon/core/A";`, `import { A } from "@kanmon/core/A";`],
    [`readonly file: "./A.ts";`, `readonly file: "./A.ts";`]
  ])("rewrites %s to %s", (before, after) => assert.strictEqual(withoutSources(before), after))
})
