/**
 * Kills the product's dependencies and the product itself under load. Afterwards no accepted request is lost, no slot is
 * evaluated twice, and every monitor is checked again. Slots during the downtime are lost.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Client, eventually, make, type Product } from "../support/Product.ts"
import * as NatsServer from "../support/NatsServer.ts"
import * as Ledger from "./Ledger.ts"
import { childOf } from "./Process.ts"

const monitors = 200
const interval = 10_000
/** One user creates more of them in a minute than the usual limit lets through. */
const env = { KANMON_WRITES_PER_MINUTE: "100000" }
/** Monitors that a user creates before a fault, and after it. */
const acceptedAround = 20

const create = (client: Client, name: string, url: string) =>
  client.call("POST", "/monitors", { name, type: "http", url, interval: interval / 1000 })

/** Waits until each of these monitors has been checked so many times since an instant. */
const checked = (target: Ledger.Target, names: Iterable<string>, times: number, since = 0) =>
  eventually(
    Effect.sync(() =>
      [...names].filter((name) => (target.seen.get(name) ?? []).filter((at) => at > since).length < times)
    ),
    (missing) => missing.length === 0
  )

/** Runs monitors while a user creates more; returns the accepted ones, when all monitors have been checked after the fault. */
const underLoad = (product: Product, target: Ledger.Target, fault: Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* product.healthy
    const ada = yield* product.signUp
    const first = Array.from({ length: monitors }, (_, index) => `m${index}`)
    yield* Effect.forEach(
      first,
      (name) =>
        Effect.map(create(ada, name, target.url(name)), ({ body, status }) =>
          assert.strictEqual(status, 201, JSON.stringify(body))
        ),
      { concurrency: 8 }
    )
    yield* checked(target, first, 2)

    const accepted: Array<string> = []
    const more = Effect.suspend(() => {
      const enough = accepted.length + acceptedAround
      return eventually(
        Effect.sync(() => accepted.length),
        (count) => count >= enough
      )
    })
    let next = 0
    const user = yield* Effect.forkChild(
      Effect.forever(
        Effect.suspend(() => {
          const name = `late${next++}`
          return create(ada, name, target.url(name)).pipe(
            Effect.map(({ status }) => void (status === 201 && accepted.push(name))),
            // While the product is away nobody answers: that was not accepted.
            Effect.catchCause(() => Effect.void),
            // A pace, not a wait: it makes the load.
            Effect.andThen(Effect.sleep(100))
          )
        })
      )
    )
    yield* more
    yield* fault
    yield* product.healthy
    const recovered = Date.now()
    yield* more
    yield* Fiber.interrupt(user)
    yield* checked(target, [...first, ...accepted], 2, recovered)
    return { ada, accepted }
  })

/** Kills a child, and waits until the product runs another in its place. */
const killChild = (product: Product, name: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const killed = yield* childOf(product, name)
    process.kill(killed, "SIGKILL")
    const child = Effect.catchCause(childOf(product, name), () => Effect.fail(`${name} does not run`))
    yield* eventually(child, (pid) => pid !== killed)
  })

const assertLedgers = (product: Product, accepted: ReadonlyArray<string>, options: { readonly missing: number }) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger.stored(product)
    const names = new Set(ledger.map(({ monitor }) => monitor))
    assert.deepStrictEqual(
      accepted.filter((name) => !names.has(name)),
      [],
      "every accepted request is kept"
    )
    for (const { monitor, slots, statuses } of ledger) {
      assert.strictEqual(new Set(slots).size, slots.length, `${monitor}: no slot twice`)
      const missing = slots.length === 0 ? 0 : slots.at(-1)! - slots[0]! + 1 - slots.length
      assert.isAtMost(missing, options.missing, `${monitor}: slots ${slots.join(" ")}`)
      assert.notInclude(statuses, "down", monitor)
      assert.strictEqual(statuses.filter((status) => status === "pending").length, 1, monitor)
    }
  })

describe("under load", () => {
  it.live("survives a kill of PostgreSQL: every slot is stored", () =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make({ env })
      const { accepted } = yield* underLoad(product, target, killChild(product, "postgres"))
      yield* assertLedgers(product, accepted, { missing: 0 })
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(NatsServer.skipped)("survives a kill of nats-server: every slot is stored", () =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make({ env })
      const { accepted } = yield* underLoad(product, target, killChild(product, "nats-server"))
      yield* assertLedgers(product, accepted, { missing: 0 })
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { bus: "NATS", withoutNats: false },
    { bus: "in-process", withoutNats: true }
  ])("keeps accepted requests and checks every monitor again after a kill ($bus bus)", ({ withoutNats }) =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make({ env, withoutNats })
      let away = 0
      const fault = Effect.gen(function* () {
        const began = Date.now()
        yield* product.stop("SIGKILL")
        yield* product.start
        yield* product.healthy
        away = Date.now() - began
      })
      const { accepted, ada } = yield* underLoad(product, target, fault)
      // What was due while nobody was there is missing, and nothing else.
      yield* assertLedgers(product, accepted, { missing: Math.ceil(away / interval) + 1 })
      const [one] = (yield* ada.call("GET", "/monitors?q=m1&limit=1")).body as ReadonlyArray<{ readonly id: string }>
      yield* eventually(
        Effect.map(ada.call("GET", `/monitors/${one!.id}`), ({ body }) => body.status as string),
        (status) => status === "up"
      )
    }).pipe(Effect.scoped)
  )
})
