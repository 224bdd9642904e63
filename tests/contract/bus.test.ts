/** Both buses keep the same contract, and the NATS one keeps to TLS when it is told to. */
import { eventually } from "@kanmon/testkit/Eventually"
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { setDefaultCACertificates, getCACertificates } from "node:tls"
import * as EmbeddedNats from "@kanmon/bus/EmbeddedNats"
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { EventBus } from "@kanmon/core/EventBus"
import { freePort } from "../support/Ports.ts"
import * as BusContract from "@kanmon/testkit/BusContract"
import { certificates } from "@kanmon/testkit/Certificates"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"

BusContract.suite("in one process", InProcessBus.layer())
describe.skipIf(NatsServer.skipped)(`a server${NatsServer.note}`, () => {
  BusContract.suite("NATS", Nats.bus)

  it.live("is resynchronised after it returns with another bucket", () =>
    Effect.gen(function* () {
      const { bucket, entries, told } = yield* followed
      yield* bucket.put("gone", "1")
      yield* bucket.put("kept", "1")
      yield* told("kept=1")
      yield* lose
      // Recreated by the first access: the watch or this call.
      yield* eventually(bucket.put("kept", "2"))
      yield* told("kept=2")
      yield* told("-gone")
      yield* bucket.put("new", "3")
      yield* told("new=3")
      assert.deepStrictEqual(
        entries.filter((entry) => entry === "current"),
        ["current"]
      )
      assert.strictEqual(entries[0], "current")
    }).pipe(Effect.scoped, Effect.provide(Nats.bus))
  )

  it.live("gets its streams again after it returns without them, and consumers continue", () =>
    Effect.gen(function* () {
      const bus = yield* EventBus
      yield* bus.ensureStream({ name: "AGAIN", subjects: ["again.>"], maxAgeMillis: 3_600_000 })
      const taken: Array<string> = []
      yield* Effect.forkScoped(
        bus.consume({ stream: "AGAIN", durable: "again", batch: 10, maxWait: "10 millis" }, (batch) =>
          Effect.sync(() => void taken.push(...batch.map(({ payload }) => payload)))
        )
      )
      const send = (id: string) => eventually(bus.publish([{ subject: "again.a", id, payload: id }]))
      const arrives = (id: string) =>
        eventually(
          Effect.sync(() => [...taken]),
          (all) => all.includes(id)
        )
      yield* send("before")
      yield* arrives("before")
      yield* lose
      yield* send("after")
      yield* arrives("after")
      assert.deepStrictEqual(taken, ["before", "after"])
    }).pipe(Effect.scoped, Effect.provide(Nats.bus))
  )

  const reach = (url: string, token?: Redacted.Redacted) =>
    Effect.flatMap(EventBus, ({ healthy }) => healthy).pipe(
      Effect.provide(
        NatsBus.layer({
          url: Redacted.make(url),
          description: "NATS for a test",
          ...(token === undefined ? {} : { token })
        })
      ),
      Effect.scoped
    )

  it.live("is refused for a tls:// address if it has no TLS", () =>
    Effect.gen(function* () {
      const { port, token } = yield* Nats.Nats
      assert.isTrue(yield* reach(`nats://localhost:${port}`, token))
      const error = yield* Effect.flip(reach(`tls://localhost:${port}`, token))
      assert.match(error._tag === "BusUnavailable" ? error.detail : error._tag, /does not support 'tls'/)
    }).pipe(Effect.provide(Nats.Nats.layer))
  )

  it.live("accepts TLS connections only with a valid certificate", () =>
    Effect.gen(function* () {
      const { good, root, wrongName } = yield* certificates
      const before = getCACertificates()
      yield* Effect.acquireRelease(
        Effect.sync(() => setDefaultCACertificates([...before, root])),
        () => Effect.sync(() => setDefaultCACertificates(before))
      )
      const trusted = yield* withTls(good)
      assert.isTrue(yield* eventually(reach(`tls://localhost:${trusted}`)))
      const stranger = yield* withTls(wrongName)
      yield* eventually(
        Effect.flip(reach(`tls://localhost:${stranger}`)),
        (error) => error._tag === "BusUnavailable" && /altnames/i.test(error.detail)
      )
    }).pipe(Effect.scoped)
  )
})

/** A bucket, and what its watcher is told. */
const followed = Effect.gen(function* () {
  const bus = yield* EventBus
  const bucket = yield* bus.bucket("followed")
  const entries: Array<string> = []
  yield* bucket.watch.pipe(
    Stream.runForEach((entry) =>
      Effect.sync(() =>
        entries.push(
          entry._tag === "Put" ? `${entry.key}=${entry.value}` : entry._tag === "Delete" ? `-${entry.key}` : "current"
        )
      )
    ),
    Effect.forkScoped
  )
  const told = (what: string) =>
    eventually(
      Effect.sync(() => [...entries]),
      (all) => all.includes(what)
    )
  yield* told("current")
  return { bucket, entries, told }
})

/** Kills the server and takes its store away; its supervisor starts it again. */
const lose = Effect.gen(function* () {
  const { pid, store } = yield* Nats.Nats
  yield* Effect.promise(() => fs.rm(store, { recursive: true, force: true, maxRetries: 5 }))
  process.kill(pid()!, "SIGKILL")
  yield* Effect.promise(() => fs.rm(store, { recursive: true, force: true, maxRetries: 5 }))
})

/** The port of a server with this certificate, which may not listen yet. */
const withTls = Effect.fnUntraced(function* ({ cert, key }: { readonly cert: string; readonly key: string }) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => fs.mkdtemp(path.join(tmpdir(), "kanmon-nats-"))),
    (made) => Effect.promise(() => fs.rm(made, { recursive: true, force: true, maxRetries: 5 }))
  )
  const binary = yield* EmbeddedNats.find(NatsServer.searchPath)
  const port = yield* Effect.promise(freePort)
  const file = (name: string) => path.join(folder, name)
  yield* Effect.promise(() =>
    Promise.all([
      fs.writeFile(file("cert.pem"), cert),
      fs.writeFile(file("key.pem"), key, { mode: 0o600 }),
      fs.writeFile(
        file("nats.conf"),
        `listen: "127.0.0.1:${port}"
        jetstream { store_dir: ${JSON.stringify(file("store"))} }
        tls { cert_file: ${JSON.stringify(file("cert.pem"))}, key_file: ${JSON.stringify(file("key.pem"))} }`
      )
    ])
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(binary!, ["-c", file("nats.conf")], { stdio: "ignore" })),
    (server) =>
      Effect.promise(
        () =>
          new Promise((resolve) => {
            server.once("exit", resolve)
            server.kill("SIGKILL")
          })
      )
  )
  return port
})
