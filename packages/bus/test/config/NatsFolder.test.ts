import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as NatsFolder from "../../src/config/NatsFolder.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => fs.mkdtemp(path.join(os.tmpdir(), "kanmon-nats-config-"))),
  (directory) => Effect.promise(() => fs.rm(directory, { recursive: true }))
)

const write = (directory: string) =>
  Effect.map(
    NatsFolder.write(directory, ["eu-west"], { listen: "0.0.0.0:4222", storeDirectory: directory }),
    (written) => written.keys.map(({ file, made, user }) => [user, path.basename(file), made])
  )

describe("the folder of kanmon nats config", () => {
  it.effect("keeps existing keys", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      assert.deepInclude(yield* write(directory), ["control-plane", "control-plane.nkey", true])
      assert.deepInclude(yield* write(directory), ["control-plane", "control-plane.nkey", false])
    })
  )

  it.effect("keeps the control plane's key under the file name of earlier releases", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* write(directory)
      const file = (name: string): string => path.join(directory, "keys", name)
      yield* Effect.promise(() => fs.rename(file("control-plane.nkey"), file("centre.nkey")))
      assert.deepInclude(yield* write(directory), ["control-plane", "centre.nkey", false])
    })
  )
})
