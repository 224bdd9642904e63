/**
 * Kills the product repeatedly while a target flaps, and compares the received notifications with the stored status changes:
 * none is missing, and repeats have the same webhook-id.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually, make } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as WebTarget from "../support/WebTarget.ts"
import * as Ledger from "./Ledger.ts"

const rounds = 10

/** When the product is killed after the target changed: three to nine seconds, so that kills hit every step between a check and the receiver. */
const pauses = Array.from({ length: rounds }, (_, index) => 3000 + ((index * 3_571) % 6000))

describe("alert delivery", () => {
  it.live.each([
    { bus: "NATS", withoutNats: false },
    { bus: "in-process", withoutNats: true }
  ])("sends each alert once whenever the product is killed ($bus bus)", ({ withoutNats }) =>
    Effect.gen(function* () {
      const web = yield* WebTarget.make
      const receiver = yield* Receiver.make
      const product = yield* make({ withoutNats })
      yield* product.healthy
      const ada = yield* product.signUp
      yield* ada.call("POST", "/notification-channels", {
        name: "Hook",
        type: "webhook",
        config: { url: receiver.url }
      })
      for (const name of ["One", "Two"]) yield* ada.call("POST", "/alert-rules", { name, trigger: "monitor_down" })
      for (let index = 0; index < 10; index++) {
        yield* ada.call("POST", "/monitors", {
          name: `m${index}`,
          type: "http",
          url: `http://127.0.0.1:${web.port}/${index}`,
          interval: 10
        })
      }
      const all = (status: "up" | "down") =>
        eventually(
          Effect.map(ada.call("GET", `/monitors?status=${status}`), ({ body }) => body.length as number),
          (count) => count === 10
        )
      for (const [round, pause] of pauses.entries()) {
        const was = round % 2 === 0 ? "up" : "down"
        yield* all(was)
        web.status = was === "up" ? 500 : 200
        yield* Effect.sleep(pause)
        yield* product.stop("SIGKILL")
        yield* product.start
        yield* product.healthy
      }
      web.status = 200
      yield* all("up")
      // Everything that is queued has been sent.
      yield* eventually(
        Effect.map(ada.call("GET", "/alert-history"), ({ body }) => body as ReadonlyArray<any>),
        (all) => all.every(({ resolvedAt, status }) => status === "delivered" && resolvedAt !== null)
      )

      const ledger = yield* Ledger.stored(product)
      const said = new Map<string, any>()
      for (const { body, headers } of receiver.received) {
        const before = said.get(headers["webhook-id"]!)
        if (before !== undefined)
          assert.deepStrictEqual({ ...body, overtakesOpening: 0 }, { ...before, overtakesOpening: 0 })
        said.set(headers["webhook-id"]!, body)
      }
      // A burst is one message that lists its alerts.
      const messages = [...said.values()].flatMap((body) =>
        body.alerts === null ? [body] : body.alerts.map((alert: object) => ({ ...body, ...alert }))
      )
      let outages = 0
      for (const { monitor, statuses: all } of ledger) {
        // While nobody could look an alert stays as it is.
        const statuses = all.filter((status) => status !== "unknown")
        const downs = statuses.filter((status, index) => status === "down" && statuses[index - 1] !== "down").length
        outages += downs
        for (const rule of ["One", "Two"]) {
          // Both are said in one message.
          const own = messages.filter(
            ({ monitor: { name }, rules }) => name === monitor && rules.some((by: { name: string }) => by.name === rule)
          )
          const opened = own.filter(
            ({ event, overtakesOpening }) => event === "monitor_down" || overtakesOpening
          ).length
          const closed = own.filter(({ event }) => event === "monitor_up").length
          assert.deepStrictEqual([opened, closed], [downs, downs], `${monitor} ${rule}: ${statuses.join(" ")}`)
        }
      }
      assert.isAtLeast(outages, 10, "the target did flap")
      const repeated = receiver.received.length - said.size
      yield* Effect.logInfo(`${outages} outages, ${messages.length} notifications, ${repeated} of them more than once`)
    }).pipe(Effect.scoped)
  )
})
