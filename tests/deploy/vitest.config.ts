import { defineConfig } from "vitest/config"

// What operators rely on. Apart from the other tests: the dependencies are installed once more, which takes its time.
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["tests/deploy/**/*.test.ts"],
    globalSetup: ["tests/support/globalSetup.ts"],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    pool: "forks"
  }
})
