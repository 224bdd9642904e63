import { defineConfig } from "vitest/config"

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: [
      "{packages,plugins,apps,docs/examples/plugins}/*/test/**/*.test.ts",
      "tests/{architecture,contract,integration,e2e,browser}/**/*.test.ts"
    ],
    globalSetup: ["tests/support/globalSetup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // A worker loads Effect, the plugins and the server once for all the files that it runs: no test changes a global.
    isolate: false,
    // Thousands of simulated monitors leave much behind: with room for it, a tenth of the time is not spent on clearing up.
    execArgv: ["--max-semi-space-size=64"],
    // One more than small machines have cores: most of the long tests wait for time that really passes.
    maxWorkers: 3
  }
})
