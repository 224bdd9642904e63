/** `kanmon nats config` in a folder that it has written before. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"

const urls = (output: string) => [...output.matchAll(/NATS_URL='([^?]+)\?nkey=([^']+)'/g)].map(([, to]) => to)

it.live("prints the same addresses when a region is added", () =>
  Effect.gen(function* () {
    const folder = yield* Folder.make({ "ca.pem": "", "cert.pem": "", "key.pem": "" })
    const config = (regions: string, ...args: ReadonlyArray<string>) =>
      kanmon(["nats", "config", "--regions", regions, "-o", `${folder}/nats`, ...args])
    const tls = ["--tls-cert", `${folder}/cert.pem`, "--tls-key", `${folder}/key.pem`, "--tls-ca", `${folder}/ca.pem`]
    const first = yield* config("eu-west", "--address", "bus.example.org:4333", ...tls)
    assert.strictEqual(first.code, 0, first.output)
    const [added, moved] = [yield* config("us-east"), yield* config("us-east", "--address", "other.example.org:4222")]
    for (const [{ output }, address, users] of [
      [first, "tls://bus.example.org:4333", 5],
      [added, "tls://bus.example.org:4333", 6],
      [moved, "tls://other.example.org:4222", 6]
    ] as const) {
      assert.deepStrictEqual(
        urls(output),
        Array.from({ length: users }, () => address),
        output
      )
      assert.include(output, `tls_ca=${folder}/ca.pem`)
    }
    assert.include(added.output, "1 key created, 5 kept")
  }).pipe(Effect.scoped)
)
