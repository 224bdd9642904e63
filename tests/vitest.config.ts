import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { components } from "./support/Components.ts"

/** Whole products and browsers take longest: what begins last is what everybody waits for. */
const first = [
  "tests/e2e/",
  "tests/reality/",
  // A short file that visits every page.
  "tests/browser/dashboard-pages",
  "tests/browser/",
  "tests/integration/",
  "tests/contract/"
]
const rank = ({ moduleId }: TestSpecification): number => {
  const found = first.findIndex((folder) => moduleId.includes(folder))
  return found < 0 ? first.length : found
}

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // Among their like, as vitest has it: by how long they took last time, or how large they are.
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** Ends what hangs; no test waits for so long, also where others share the machine. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 }

/** What the tests that run in Node have in common. */
const common = {
  ...timeouts,
  pool: "forks" as const,
  // Node loads the sources itself, as it does for users: to transform them takes a tenth of the work of many short tests.
  experimental: { viteModuleRunner: false },
  // A worker loads Effect, the plugins and the server once for all the files that it runs: no test changes a global.
  isolate: false,
  // Thousands of simulated monitors leave much behind: with room for it, a tenth of the time is not spent on clearing up.
  execArgv: ["--max-semi-space-size=64"]
}

const root = new URL("..", import.meta.url).pathname

export default defineConfig({
  root,
  test: {
    ...common,
    globalSetup: ["tests/support/loopbackSetup.ts", "tests/support/globalSetup.ts"],
    sequence: { sequencer: LongestFirst },
    // Two more than small machines have cores: most of the long tests wait for time that really passes.
    maxWorkers: 4,
    projects: [
      {
        root,
        test: {
          ...common,
          name: "products",
          include: ["tests/{e2e,reality,browser}/**/*.test.ts"],
          // Only these need a compiled server: to run others after a change costs no build.
          globalSetup: ["tests/support/ServerBuild.ts"]
        }
      },
      {
        root,
        test: {
          ...common,
          name: "parts",
          include: [
            "{packages,plugins,apps,docs/examples/plugins}/*/test/**/*.test.ts",
            "tests/{architecture,contract,integration}/**/*.test.ts"
          ]
        }
      },
      ...components(root, timeouts)
    ]
  }
})
