import { assert, it } from "@effect/vitest"
import { isTrustworthy } from "../../src/http/RequestPipeline.ts"

it.each([
  ["https://status.example.org/kanmon", true],
  ["http://localhost:3000", true],
  ["http://kanmon.localhost", true],
  ["http://127.0.0.1:3000", true],
  ["http://[::1]:3000", true],
  ["http://kanmon.lan", false],
  ["http://192.168.1.7:3000", false],
  ["http://localhost.example.org", false]
] as const)("knows whether browsers trust %s: %s", (url, expected) => assert.strictEqual(isTrustworthy(url), expected))
