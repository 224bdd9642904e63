/** A nats-server for a test file, with its files in a temporary folder. */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { Context, Effect, Layer } from "effect"
import { searchPath } from "./NatsServer.ts"

export class Nats extends Context.Service<Nats, EmbeddedNats.EmbeddedNats & { readonly store: string }>()(
  "@kanmon/tests/Nats"
) {
  static readonly layer = Layer.effect(
    Nats,
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-nats-"))),
        (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true, maxRetries: 5 }))
      )
      const binary = yield* EmbeddedNats.find(searchPath)
      if (binary === undefined) return yield* Effect.die(new Error("nats-server is not installed; these tests need it"))
      return { ...(yield* EmbeddedNats.start(binary, folder)), store: path.join(folder, "nats", "store") }
    })
  ).pipe(Layer.orDie)
}

/** A bus on it. */
export const bus = Layer.unwrap(
  Effect.map(Nats, ({ token, url }) => NatsBus.layer({ url, token, description: "NATS for a test" }))
).pipe(Layer.provideMerge(Nats.layer))
