/** Alerts of integrations that page people: one request pages a person once, and repeats page no one. */
import { assert, layer } from "@effect/vitest"
import type { ContactMethodId } from "@kanmon/domain/Ids"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { Clock, Effect } from "effect"
import { tried } from "../../support/Attempts.ts"
import { delivered, ok, options, pass, stage, work } from "./EscalationStage.ts"
import { call, person, publicUrl } from "./Server.ts"
import { join, organizationOf, verify } from "./Team.ts"

layer(stage(), options)("the alerts of one request", (it) => {
  it.effect("page a person once, in each step, and a repeat pages no one", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const bob = yield* join(ada, "responder")
      yield* verify(bob)
      const [method] = ok(yield* bob.withSession("GET", "/account/contact-methods"))
      const notify = [{ userId: bob.userId }]
      const policy = {
        name: "People",
        steps: [
          { afterMinutes: 0, notify },
          { afterMinutes: 10, notify }
        ]
      }
      const route = `/organizations/${yield* organizationOf(ada)}/escalation-policies`
      const made = ok(yield* ada.withSession("POST", route, policy), 201)
      const draft = { name: "Elsewhere", trigger: "external", escalationPolicyId: made.id }
      const rule = ok(yield* ada.withKey("POST", "/alert-rules", draft), 201)
      const body = { name: "Sender", type: "generic", ruleId: rule.id }
      const { address } = ok(yield* ada.withKey("POST", "/integrations", body), 201)
      const sent = Array.from({ length: 30 }, (_, index) => ({
        key: `k${index}`,
        status: "firing",
        title: `Alert ${index}`,
        severity: "critical"
      }))
      const post = (alerts: unknown) =>
        Effect.map(call("POST", address.slice(`${publicUrl}/api/v1`.length), alerts), (answer) => ok(answer))

      const deliveries = yield* Deliveries
      /** Sends the next message; returns the number of its alerts, 0 when nothing is due. */
      const send = Effect.gen(function* () {
        const due = yield* deliveries.next(method.id as ContactMethodId)
        if (due === undefined) return 0
        yield* deliveries.begin(due)
        yield* deliveries.conclude(due, tried(yield* Clock.currentTimeMillis, "delivered", "as told"), delivered)
        return 1 + due.group.length
      })
      yield* post(sent)
      yield* work
      assert.strictEqual(yield* send, 30)
      yield* work
      yield* post(sent)
      yield* work
      yield* pass(2)
      assert.strictEqual(yield* send, 0)
      yield* pass(8)
      assert.strictEqual(yield* send, 30)
      yield* work
      assert.strictEqual(yield* send, 0)
      const [alert] = ok(yield* ada.withKey("GET", "/alerts?limit=1"))
      const line = ok(yield* ada.withKey("GET", `/alerts/${alert.id}/timeline`))
      assert.deepStrictEqual(
        line.flatMap(({ page }: any) => page?.outcome ?? []),
        ["reached", "reached"]
      )
    })
  )
})
