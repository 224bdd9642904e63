import { defineConfig } from "vitest/config"

/** Tarballs are installed here as people install them, from npm's registry too: apart from the quick tests. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["tests/packages/**/*.test.ts"],
    globalSetup: ["tests/support/globalSetup.ts"],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    pool: "forks",
    maxWorkers: 1
  }
})
