/** The embedded nats-server keeps its port and token across restarts. */
import * as fs from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import * as path from "node:path"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import { freePort } from "../../support/Ports.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as NatsServer from "../../support/NatsServer.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-embedded-"))),
  (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true, maxRetries: 5 }))
)

/** A program that has a port, until the scope closes. */
const occupy = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer().listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

/** Starts and stops the server; returns its address. */
const visit = (directory: string, port?: number) =>
  Effect.gen(function* () {
    const binary = yield* EmbeddedNats.find(NatsServer.searchPath)
    return yield* EmbeddedNats.start(binary!, directory, port)
  }).pipe(Effect.scoped)

describe.skipIf(NatsServer.skipped)(`the embedded nats-server${NatsServer.note}`, () => {
  it.live("listens on the same port after every start", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const first = yield* visit(home)
      const second = yield* visit(home)
      assert.deepStrictEqual([second.port, second.formerPort], [first.port, undefined])
    }).pipe(Effect.scoped)
  )

  it.live("moves if another program has taken its port, reports it, and stays there", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const { port: former } = yield* visit(home)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* occupy(former)
          const moved = yield* visit(home)
          assert.notStrictEqual(moved.port, former)
          assert.strictEqual(moved.formerPort, former)
          const after = yield* visit(home)
          assert.deepStrictEqual([after.port, after.formerPort], [moved.port, undefined])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("listens on the configured port, and refuses one that is taken", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const port = yield* Effect.promise(freePort)
      assert.strictEqual((yield* visit(home, port)).port, port)
      yield* occupy(port)
      const refused = yield* Effect.exit(visit(home, port))
      assert.deepStrictEqual(refused, Exit.fail(new EmbeddedNats.PortTaken({ port })))
    }).pipe(Effect.scoped)
  )
})
