/**
 * Plugins that block the event loop for ever, in each place in which their code runs: the product is back by itself, with its
 * servers; what blocked it twice is held back until it is changed, and everything else goes on.
 */
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as Folder from "../support/Folder.ts"
import { kanmon } from "../support/Kanmon.ts"
import * as LoopingPlugins from "../support/LoopingPlugins.ts"
import { type Client, eventually, make, type Product, type ProductOptions } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"

interface Stall {
  readonly kind: string | null
  readonly key: string | null
  readonly label: string | null
  readonly plugin: string | null
  readonly stack: ReadonlyArray<string>
  readonly quarantined: boolean
}

/** A product with the plugins of these places, and its folder. */
const blocked = (
  places: ReadonlyArray<LoopingPlugins.Place>,
  options: ProductOptions = {}
): Effect.Effect<{ readonly product: Product; readonly folder: string }, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Folder.make()
    const files = places.map((place) => LoopingPlugins.plant(folder, place))
    const env = { KANMON_PLUGINS: files.join(","), ...options.env }
    const product = yield* make({ ...options, env })
    yield* product.healthy
    return { product, folder }
  })

/** The stalls that `/health` names, newest first; fails while nothing answers. */
const stallsOf = (product: Product) =>
  Effect.tryPromise(async () => {
    const answer = await fetch(`${product.base}/health`, { signal: AbortSignal.timeout(2000) })
    return ((await answer.json()) as { readonly stalls: ReadonlyArray<Stall> }).stalls
  })

/** A request that may never be answered. */
const send = (product: Product, route: string, init: RequestInit = {}) =>
  Effect.promise(() =>
    fetch(`${product.base}${route}`, { ...init, signal: AbortSignal.timeout(3000) }).then(
      ({ status }) => status,
      () => undefined
    )
  )

/** Provokes until the product stood still there twice, and returns the second stall. A check comes again by itself. */
const provoked = (
  { folder, product }: { readonly product: Product; readonly folder: string },
  place: LoopingPlugins.Place,
  provoke: Effect.Effect<unknown>
) =>
  Effect.gen(function* () {
    const before = (yield* eventually(stallsOf(product))).length
    LoopingPlugins.arm(folder, place)
    const stalls = yield* eventually(Effect.andThen(provoke, stallsOf(product)), (found) => {
      const times = found.length - before
      if (times > 0) assert.strictEqual(found[0]!.quarantined, times === 2, place)
      return times === 2
    })
    assert.strictEqual(LoopingPlugins.entered(folder, place), 2)
    return stalls[0]!
  })

const firstNumber = (file: string): number => Number(/^\d+/.exec(readFileSync(file, "utf8"))?.[0])

const serversOf = ({ dataDirectory }: Product): ReadonlyArray<number> =>
  ["postgres/data/postmaster.pid", "nats/nats.pid"].map((file) => firstNumber(path.join(dataDirectory, file)))

const monitor = (client: Client, body: object) =>
  Effect.map(client.call("POST", "/monitors", { name: "A monitor", interval: 10, ...body }), (made) => {
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    return made.body.id as string
  })

interface Check {
  readonly status: string
  readonly failure: { readonly code: string } | null
}

const newestCheck = (client: Client, id: string) =>
  Effect.map(client.call("GET", `/monitors/${id}/checks?limit=1`), ({ body }) => body[0])

describe("an event loop that does not turn", () => {
  it.live("is started again with its servers; a check that blocked it twice is held back until it is changed", () =>
    Effect.gen(function* () {
      const stage = yield* blocked(["check", "promise"], { ownDatabase: true })
      const { folder, product } = stage
      const servers = serversOf(product)
      const ada = yield* product.signUp
      for (const [place, type] of [["check", "looping"] as const, ["promise", "promising"] as const]) {
        const harmless = yield* monitor(ada, { type, host: "harmless" })
        const id = yield* monitor(ada, { type, host: "trap" })
        const stall = yield* provoked(stage, place, Effect.void)
        assert.deepInclude(stall, { kind: "check", key: id, label: type })
        assert.include(stall.stack[0], `${place}.mjs`)
        assert.include(stall.plugin, `${place}.mjs`)
        const held = yield* eventually(newestCheck(ada, id), (check) => check?.failure?.code === "check_quarantined")
        assert.strictEqual(held.status, "unknown")
        // The first stall cost one result, which says so.
        const { body } = yield* ada.call("GET", `/monitors/${id}/checks?limit=50`)
        const stalled = (body as ReadonlyArray<Check>).filter(({ failure }) => failure?.code === "check_stalled")
        assert.deepStrictEqual(
          stalled.map(({ status }) => status),
          ["unknown"]
        )
        // The others of this type are checked.
        yield* eventually(
          newestCheck(ada, harmless),
          (check) => check?.status === "up" && check.checkedAt > held.checkedAt
        )
        assert.strictEqual(LoopingPlugins.entered(folder, place), 2)
        LoopingPlugins.disarm(folder, place)
        yield* ada.call("PATCH", `/monitors/${id}`, { name: "Another" })
        yield* eventually(newestCheck(ada, id), (check) => check?.status === "up")
      }
      assert.deepStrictEqual(serversOf(product), servers)
      assert.include(product.output(), "The event loop did not turn; the process was ended and started again")
    }).pipe(Effect.scoped)
  )

  it.live("is started again; a channel that blocked it twice is held back, and other alerts are sent, once", () =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const stage = yield* blocked(["channel"])
      const { folder, product } = stage
      const ada = yield* product.signUp
      const hook = yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url }
      })
      yield* ada.call("POST", "/alert-rules", {
        name: "Down",
        monitorIds: [],
        channelIds: [hook.body.id],
        trigger: "monitor_down",
        consecutiveFailures: 1
      })
      const good = yield* monitor(ada, { type: "http", url: `http://127.0.0.1:${web.port}/` })
      const stands = Effect.map(ada.call("GET", `/monitors/${good}`), ({ body }) => body)
      yield* eventually(stands, ({ status }) => status === "up")
      const channel = yield* ada.call("POST", "/notification-channels", {
        name: "Blocking",
        type: "blocking",
        config: { to: "someone" }
      })
      web.status = 503
      const test = `/notification-channels/${channel.body.id}/test`
      const headers = { "x-api-key": ada.key }
      const sent = yield* provoked(stage, "channel", send(product, test, { method: "POST", headers }))
      assert.deepInclude(sent, { kind: "channel", key: channel.body.id, label: "blocking" })
      const refused = yield* ada.call("POST", test)
      assert.strictEqual(refused.body.code, "delivery_failed")
      assert.include(refused.body.detail, "until the channel or the plugin of its type is changed")

      yield* eventually(stands, ({ status }) => status === "down")
      yield* eventually(
        Effect.sync(() => receiver.received.filter(({ body }) => body.event === "monitor_down")),
        (all) => {
          assert.isAtMost(all.length, 1)
          return all.length === 1
        }
      )
      LoopingPlugins.disarm(folder, "channel")
      yield* ada.call("PATCH", `/notification-channels/${channel.body.id}`, { config: { to: "someone else" } })
      assert.strictEqual((yield* ada.call("POST", test)).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("is started again; an auth that blocked it twice is refused until its files are changed", () =>
    Effect.gen(function* () {
      const stage = yield* blocked(["auth"])
      const { folder, product } = stage
      const ada = yield* product.signUp
      const signIn = send(product, "/projects", { headers: { "x-trap": "1" } })
      assert.deepInclude(yield* provoked(stage, "auth", signIn), { kind: "auth", key: "blocks-sign-in" })
      assert.strictEqual(yield* signIn, 401)
      const refusals = Effect.map(ada.call("GET", "/plugins"), ({ body }) =>
        body.filter(({ name }: any) => name === "blocks-sign-in").flatMap(({ refused: reasons }: any) => reasons)
      )
      const reasons = yield* refusals
      assert.lengthOf(reasons, 1)
      assert.include(reasons[0], "not run until its files change")
      const told = yield* kanmon(["doctor"], product.settings)
      assert.match(told.output, /!! {2}stalls {4}the auth blocks-sign-in .* is not run until it is changed/)

      LoopingPlugins.disarm(folder, "auth")
      LoopingPlugins.change(folder, "auth")
      assert.strictEqual(yield* product.stop("SIGTERM"), "0")
      yield* product.start
      yield* product.healthy
      assert.deepStrictEqual(yield* refusals, [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "is started again; a caller that blocked a route of Kanmon twice waits an hour for it, and others are answered",
    () =>
      Effect.gen(function* () {
        const folder = yield* Folder.make()
        const preload = LoopingPlugins.plantInHandlers(folder)
        const product = yield* make({ ownDatabase: true, env: { NODE_OPTIONS: `--import=${preload}` } })
        yield* product.healthy
        const servers = serversOf(product)
        const [ada, bob] = [yield* product.signUp, yield* product.signUp]
        const job = { name: LoopingPlugins.blocking, type: "heartbeat", interval: 60 }
        const provoke = send(product, "/monitors", {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": ada.key },
          body: JSON.stringify(job)
        })
        const stalls = yield* eventually(Effect.andThen(provoke, stallsOf(product)), (found) => found.length === 2)
        for (const stall of stalls)
          assert.deepInclude(stall, { kind: "request", label: "POST …/monitors", plugin: null })
        assert.isTrue(stalls[0]!.quarantined)
        assert.include(stalls[0]!.stack.join("\n"), "handler.mjs")
        // The third time it is refused before its body is read, and so is a harmless one of the same caller.
        assert.strictEqual(yield* provoke, 503)
        const harmless = { name: "A job", type: "heartbeat", interval: 60 }
        const refused = yield* ada.call("POST", "/monitors", harmless)
        assert.strictEqual(refused.status, 503)
        assert.include(refused.body.detail, "blocked the server for seconds, twice")
        assert.strictEqual(LoopingPlugins.entered(folder, "handler"), 2)
        // The caller's other routes are open, as is this one to others.
        assert.strictEqual((yield* ada.call("GET", "/monitors")).status, 200)
        yield* monitor(bob, harmless)
        assert.deepStrictEqual(serversOf(product), servers)
      }).pipe(Effect.scoped)
  )

  it.live(
    "is started again without a plugin that blocks it by itself, while it is loaded, or while a monitor is read",
    () =>
      Effect.gen(function* () {
        const stage = yield* blocked(["timer", "load", "prepare"])
        const { folder, product } = stage
        const timer = yield* provoked(stage, "timer", Effect.void)
        assert.strictEqual(timer.kind, "plugin")
        assert.include(timer.key, "timer.mjs")

        const ada = yield* product.signUp
        const id = yield* monitor(ada, { type: "preparing", host: "trap" })
        yield* eventually(newestCheck(ada, id), (check) => check?.status === "up")
        for (const place of ["load", "prepare"] as const) LoopingPlugins.arm(folder, place)
        assert.strictEqual(yield* product.stop("SIGTERM"), "0")
        yield* product.start
        // It is not healthy in between.
        for (const place of ["load", "prepare"] as const)
          yield* eventually(
            Effect.sync(() => LoopingPlugins.entered(folder, place)),
            (count) => count === 2
          )
        yield* eventually(stallsOf(product), (stalls) => stalls.length === 6)
        for (const place of ["load", "prepare"] as const) assert.strictEqual(LoopingPlugins.entered(folder, place), 2)
        yield* eventually(newestCheck(ada, id), (check) => check?.failure?.code === "check_quarantined")
        const { body } = yield* ada.call("GET", "/plugins")
        for (const place of ["timer", "load"]) {
          const found = body.find(({ name }: any) => name.includes(`${place}.mjs`))
          assert.strictEqual(found.status, "refused")
          assert.include(found.refused[0], "not run until its files change")
        }
      }).pipe(Effect.scoped)
  )

  it.live("is started again by its service manager where it waits in the system and cannot be asked", () =>
    Effect.gen(function* () {
      const stage = yield* blocked(["native"], { env: { INVOCATION_ID: "of a service manager" } })
      const { folder, product } = stage
      const ada = yield* product.signUp
      const id = yield* monitor(ada, { type: "waiting", host: "trap" })
      // Afterwards, because its first check could come before the answer.
      LoopingPlugins.arm(folder, "native")
      for (const times of [1, 2]) {
        yield* eventually(
          Effect.sync(() => LoopingPlugins.entered(folder, "native")),
          (count) => count === times
        )
        assert.strictEqual(yield* product.ended, "SIGKILL")
        yield* product.start
      }
      yield* product.healthy
      yield* eventually(newestCheck(ada, id), (check) => check?.failure?.code === "check_quarantined")
      const [newest] = yield* eventually(stallsOf(product))
      assert.deepInclude(newest, { kind: null, quarantined: true })
    }).pipe(Effect.scoped)
  )

  it.live("is followed by another process where it cannot be asked and nothing else would start it", () =>
    Effect.gen(function* () {
      const stage = yield* blocked(["native"])
      const { folder, product } = stage
      const successor = () => firstNumber(path.join(product.dataDirectory, "kanmon.pid"))
      const first = successor()
      const ada = yield* product.signUp
      yield* monitor(ada, { type: "waiting", host: "trap" })
      LoopingPlugins.arm(folder, "native")
      yield* eventually(
        Effect.sync(() => LoopingPlugins.entered(folder, "native")),
        (count) => count === 1
      )
      LoopingPlugins.disarm(folder, "native")
      assert.strictEqual(yield* product.ended, "SIGKILL")
      yield* Effect.acquireRelease(
        eventually(stallsOf(product), (stalls) => stalls.length === 1),
        () => Effect.sync(() => process.kill(successor(), "SIGKILL"))
      )
      assert.notStrictEqual(successor(), first)
    }).pipe(Effect.scoped)
  )
})
