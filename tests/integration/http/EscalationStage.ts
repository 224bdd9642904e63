/** The stage of tests of escalations: a monitor whose rule has a policy, and a clock that they move. */
import { assert } from "@effect/vitest"
import { Escalations } from "@kanmon/monitoring/escalation"
import { Deliveries, type DeliveryOutcome } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import type { ChannelId, ContactMethodId } from "@kanmon/domain/Ids"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { tried } from "../../support/Attempts.ts"
import * as MovedClock from "../../support/MovedClock.ts"
import * as AlertServer from "./AlertServer.ts"
import { organizationOf } from "./Team.ts"
import type { ApiResponse } from "./Server.ts"

export const minute = 60_000
export const stage = () => Layer.provideMerge(AlertServer.layer(), MovedClock.layer)
export const options = { timeout: "2 minutes", excludeTestServices: true } as const

export const ok = (answer: ApiResponse, status = 200) => {
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

/** Lets minutes pass, one by one, with everything that is due on the way. */
export const pass = Effect.fnUntraced(function* (minutes: number) {
  const escalations = yield* Escalations
  const clock = yield* MovedClock.MovedClock
  for (let passed = 0; passed < minutes; passed++) {
    yield* clock.move(minute)
    yield* escalations.wakeCovered
    yield* escalations.runDue
  }
})

export const work = Effect.flatMap(Escalations, ({ runDue }) => runDue)

export const delivered: DeliveryOutcome = { _tag: "Delivered" }
export const failed: DeliveryOutcome = { _tag: "Failed", disable: false }

/** Ends the next message to a target with this outcome. Returns whether there was one. */
export const conclude = Effect.fnUntraced(function* (id: ChannelId | ContactMethodId, outcome: DeliveryOutcome) {
  const deliveries = yield* Deliveries
  const due = yield* deliveries.next(id)
  if (due === undefined) return false
  const word = outcome._tag === "Delivered" ? "delivered" : "failed"
  if (due.notifiedBy !== null) yield* deliveries.share(due)
  else yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, word, "as told"), outcome)
  return true
})

/** A monitor whose rule has a policy with these steps, each of which tells a channel of its own. */
export const escalating = Effect.fnUntraced(function* (
  policy: object = {},
  afterMinutes: ReadonlyArray<number> = [0, 10]
) {
  const { ada, channel, down, monitor, rule, up } = yield* AlertServer.outage()
  const organizationId = yield* organizationOf(ada)
  const second = ok(
    yield* ada.withKey("POST", "/notification-channels", {
      name: "Second",
      type: "webhook",
      config: { url: "https://example.org/second" }
    }),
    201
  )
  const channels: ReadonlyArray<string> = [channel.id, second.id]
  const path = `/organizations/${organizationId}/escalation-policies`
  const made = ok(
    yield* ada.withSession("POST", path, {
      name: "Shop",
      steps: afterMinutes.map((after, step) => ({ afterMinutes: after, notify: [{ channelId: channels[step % 2] }] })),
      ...policy
    }),
    201
  )
  ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: made.id, channelIds: [] }))
  const sql = yield* SqlClient.SqlClient
  const open = Effect.gen(function* () {
    yield* down()
    const [alert] = ok(yield* ada.withKey("GET", "/alerts?state=open"))
    return alert as { id: string; [field: string]: any }
  })
  /** Every message to the channels in their order: the minute, the channel and what it says. */
  const messages = (alertId: string, from: number) =>
    Effect.map(
      sql<{ channel_id: string; purpose: string; status: string; created_at: Date }>`SELECT channel_id, purpose, status,
        created_at FROM deliveries WHERE subject_id = ${alertId} ORDER BY created_at, id`,
      (rows) =>
        rows.map(
          ({ channel_id, created_at, purpose, status }) =>
            `${Math.floor((created_at.getTime() - from) / minute)} ${channels.indexOf(channel_id) + 1} ${purpose} ${status}`
        )
    )
  /** Works the queues of the channels, with this outcome. */
  const deliver = Effect.fnUntraced(function* (outcome: DeliveryOutcome = delivered) {
    let count = 0
    for (const id of channels) while (yield* conclude(id as ChannelId, outcome)) count++
    yield* work
    return count
  })
  /** Gives the rule another policy, whose only step pages this person. */
  const paging = Effect.fnUntraced(function* ({ userId }: { readonly userId: string }, repeatAfterMinutes: number) {
    const steps = [{ afterMinutes: 0, notify: [{ userId }] }]
    const people = ok(yield* ada.withSession("POST", path, { name: "People", steps, repeatAfterMinutes }), 201)
    ok(yield* ada.withKey("PATCH", `/alert-rules/${rule.id}`, { escalationPolicyId: people.id }))
    return people
  })
  const act = (method: string, route: string, body?: unknown) =>
    ada.withSession(method, route, body, { "kanmon-project": ada.projectId })
  return { act, ada, channels, deliver, made, messages, monitor, open, paging, path, rule, sql, up }
})
