import { defineConfig } from "vitest/config"

/** Real processes are killed here: one file at a time, and apart from the quick tests. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["tests/faults/**/*.test.ts"],
    globalSetup: ["tests/support/loopbackSetup.ts"],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false
  }
})
