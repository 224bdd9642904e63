/**
 * Kills the product's dependencies and the product itself under load. Afterwards no accepted request is lost, no slot is
 * evaluated twice, and every monitor is checked within an interval of the restart. Slots during the downtime are lost.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Client, eventually, make, type Product } from "../support/Product.ts"
import * as NatsServer from "../support/NatsServer.ts"
import * as Ledger from "./Ledger.ts"
import { childOf } from "./Process.ts"

const monitors = 200
const interval = 10_000
/** Tolerance for a loaded machine. */
const slack = 5000

const create = (client: Client, name: string, url: string) =>
  client.call("POST", "/monitors", { name, type: "http", url, interval: interval / 1000 })

/** Runs monitors while a user creates more; returns the accepted ones. */
const underLoad = (product: Product, target: Ledger.Target, fault: Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* product.healthy
    const ada = yield* product.signUp
    yield* Effect.forEach(
      Array.from({ length: monitors }),
      (_, index) => create(ada, `m${index}`, target.url(`m${index}`)),
      { concurrency: 8 }
    )
    yield* Effect.sleep(12_000)

    const accepted: Array<string> = []
    let next = 0
    const user = yield* Effect.forkChild(
      Effect.forever(
        Effect.suspend(() => {
          const name = `late${next++}`
          return create(ada, name, target.url(name)).pipe(
            Effect.map(({ status }) => void (status === 201 && accepted.push(name))),
            // While the product is away nobody answers: that was not accepted.
            Effect.catchCause(() => Effect.void),
            Effect.andThen(Effect.sleep(100))
          )
        })
      )
    )
    yield* Effect.sleep(2000)
    yield* fault
    yield* product.healthy
    yield* Effect.sleep(4000)
    yield* Fiber.interrupt(user)
    yield* Effect.sleep(interval + slack)
    return { ada, accepted }
  })

const killChild = (product: Product, name: string): Effect.Effect<void> =>
  Effect.map(childOf(product, name), (pid) => void process.kill(pid, "SIGKILL"))

const assertLedgers = (
  product: Product,
  target: Ledger.Target,
  accepted: ReadonlyArray<string>,
  options: { readonly gap: number; readonly missing: number }
) =>
  Effect.gen(function* () {
    const now = Date.now()
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
    assert.isAtMost(Ledger.longestGap(target, now), interval + options.gap + slack, "no monitor unwatched")
    return ledger
  })

describe("under load", () => {
  it.live("survives a kill of PostgreSQL: every slot is stored", () =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make()
      const { accepted } = yield* underLoad(
        product,
        target,
        killChild(product, "postgres").pipe(Effect.andThen(Effect.sleep(3000)))
      )
      yield* assertLedgers(product, target, accepted, { gap: 0, missing: 0 })
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(NatsServer.skipped)("survives a kill of nats-server: every slot is stored", () =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make()
      const { accepted } = yield* underLoad(
        product,
        target,
        killChild(product, "nats-server").pipe(Effect.andThen(Effect.sleep(3000)))
      )
      yield* assertLedgers(product, target, accepted, { gap: 0, missing: 0 })
    }).pipe(Effect.scoped)
  )

  it.live.each([
    { bus: "NATS", withoutNats: false },
    { bus: "in-process", withoutNats: true }
  ])("keeps accepted requests and checks every monitor again after a kill ($bus bus)", ({ withoutNats }) =>
    Effect.gen(function* () {
      const target = yield* Ledger.target
      const product = yield* make({ withoutNats })
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
      yield* assertLedgers(product, target, accepted, {
        gap: interval / 2 + away,
        missing: Math.ceil(away / interval) + 1
      })
      const [one] = (yield* ada.call("GET", "/monitors?q=m1&limit=1")).body as ReadonlyArray<{ readonly id: string }>
      yield* eventually(
        Effect.map(ada.call("GET", `/monitors/${one!.id}`), ({ body }) => body.status as string),
        (status) => status === "up"
      )
    }).pipe(Effect.scoped)
  )
})
