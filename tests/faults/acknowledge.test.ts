/**
 * Kills the product after it has answered an acknowledgement and before the event has left the outbox: the bus is frozen in
 * between. After the restart the alert is acknowledged, and the event is on the bus once.
 */
import { assert, it } from "@effect/vitest"
import { jetstream } from "@nats-io/jetstream"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually, make, type Product } from "../support/Product.ts"
import { join } from "../support/ProductNats.ts"
import { inDatabase } from "./Ledger.ts"
import { childOf } from "./Process.ts"

const signalTo = (pid: number, signal: NodeJS.Signals) => Effect.sync(() => void process.kill(pid, signal))

/** How many messages of the outbox are about acknowledged alerts. */
const waiting = (product: Product) =>
  inDatabase(
    product,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ count: bigint | number }>`SELECT count(*) AS count FROM outbox
        WHERE event->>'subject' LIKE '%.acknowledged'`
      return Number(row!.count)
    })
  )

it.live.skipIf(NatsServer.skipped)(
  `keeps an acknowledgement through a kill, and publishes its event once${NatsServer.note}`,
  () =>
    Effect.gen(function* () {
      const product = yield* make()
      yield* product.healthy
      const ada = yield* product.signUp
      const { body: rule } = yield* ada.call("POST", "/alert-rules", { name: "Down", trigger: "monitor_down" })
      const { body: job } = yield* ada.call("POST", "/monitors", { name: "Job", type: "heartbeat", interval: 600 })
      yield* product.call("POST", `${job.heartbeatUrl}/fail`)
      const alerts = Effect.map(ada.call("GET", "/alerts"), ({ body }) => body as ReadonlyArray<any>)
      const [open] = yield* eventually(alerts, ([alert]) => alert?.state === "open")
      assert.strictEqual(open.ruleId, rule.id)

      const nats = yield* childOf(product, "nats-server")
      yield* signalTo(nats, "SIGSTOP")
      const done = yield* ada.call("POST", `/alerts/${open.id}/acknowledge`, { note: "Looking into it" })
      assert.strictEqual(done.status, 200, JSON.stringify(done.body))
      // The database ends with the product. Until then the event cannot leave: the bus is frozen.
      assert.strictEqual(yield* waiting(product), 1, "the event has not left")
      yield* product.stop("SIGKILL")
      // A frozen orphan could not be replaced.
      yield* signalTo(nats, "SIGKILL")

      yield* product.start
      yield* product.healthy
      const [kept] = yield* alerts
      assert.deepInclude(kept, { id: open.id, state: "acknowledged" })
      yield* eventually(waiting(product), (count) => count === 0)
      const connection = yield* join(product)
      const published = yield* Effect.promise(async () => {
        const consumer = await jetstream(connection).consumers.get("KANMON_EVENTS", {
          filter_subjects: `kanmon.events.${ada.projectId}.alert.*.acknowledged`
        })
        const { num_pending: count } = await consumer.info()
        const found: Array<any> = []
        for await (const message of await consumer.fetch({ max_messages: count, expires: 60_000 }))
          found.push(message.json())
        return found
      })
      assert.lengthOf(published, 1)
      assert.deepInclude(published[0], { alertId: open.entries[0].id, note: "Looking into it" })
      const audited = (yield* ada.call("GET", "/audit-log?action=alert.acknowledged")).body
      assert.lengthOf(audited, 1)
    }).pipe(Effect.scoped)
)
