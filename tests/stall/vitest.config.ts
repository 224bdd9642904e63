import { defineConfig } from "vitest/config"

/** Thousands of hostile requests, which take many minutes: apart from the quick tests, each night. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["tests/stall/**/*.test.ts"],
    globalSetup: ["tests/support/loopbackSetup.ts", "tests/support/globalSetup.ts", "tests/support/ServerBuild.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1
  }
})
