/** Where a nats-server listens whose configuration `kanmon nats config` wrote. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"

const configured = Effect.fnUntraced(function* (...options: ReadonlyArray<string>) {
  const folder = yield* Folder.make()
  const { code, output } = yield* kanmon(["nats", "config", "--regions=eu-west", `--output=${folder}`, ...options])
  const written = yield* Effect.promise(() => fs.readFile(path.join(folder, "nats-server.conf"), "utf8"))
  return { code, output, listen: /^listen: "(.*)"$/m.exec(written)?.[1] }
})

describe("kanmon nats config", () => {
  it.live("listens on loopback, and says what that means for clients elsewhere", () =>
    Effect.gen(function* () {
      const { code, listen, output } = yield* configured()
      assert.deepStrictEqual([code, listen], [0, "127.0.0.1:4222"])
      assert.notInclude(output, "leads nowhere")
      const remote = yield* configured("--address=nats.example.org:4222")
      assert.deepStrictEqual([remote.code, remote.listen], [0, "127.0.0.1:4222"])
      assert.match(remote.output, /nats\.example\.org:4222 leads nowhere/)
    })
  )

  it.live("listens everywhere with TLS, and without it only when told", () =>
    Effect.gen(function* () {
      const encrypted = yield* configured("--tls-cert=cert.pem", "--tls-key=key.pem")
      assert.strictEqual(encrypted.listen, "0.0.0.0:4222")
      assert.notInclude(encrypted.output, "without TLS")
      const told = yield* configured("--listen=10.0.0.5:4222")
      assert.strictEqual(told.listen, "10.0.0.5:4222")
      assert.match(told.output, /10\.0\.0\.5:4222 without TLS/)
    })
  )
})
