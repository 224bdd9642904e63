/** Test notifications of incident channels close the incidents they open. */
import { assert, layer } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Context, Effect, Layer } from "effect"
import { layer as server, person } from "./Server.ts"

/** PagerDuty and Opsgenie at one address, which can refuse to close. */
class Pagers extends Context.Service<Pagers, { readonly there: Targets.HttpTarget; stuck: boolean }>()(
  "@kanmon/tests/Pagers"
) {}

const pagers = Layer.effect(
  Pagers,
  Effect.gen(function* () {
    const state = {
      stuck: false,
      there: yield* Targets.http((request, response) => {
        const closes = request.url!.includes("/close") || /"resolve"/.test(state.there.requests.at(-1)!.body)
        response.statusCode = closes && state.stuck ? 503 : 202
        response.end(JSON.stringify({ message: state.stuck ? "out of order" : "Event processed" }))
      })
    }
    return Pagers.of(state)
  })
)

const environment = Layer.unwrap(
  Effect.map(Pagers, ({ there: { url } }) =>
    server({
      operator: new Map([
        ["pagerduty", { KANMON_PAGERDUTY_API_BASE: url }],
        ["opsgenie", { KANMON_OPSGENIE_API_BASE: url }]
      ])
    })
  )
).pipe(Layer.provideMerge(pagers))

const pagerduty = { type: "pagerduty", config: { integrationKey: "0123456789abcdef0123456789abcdef" } }
const opsgenie = { type: "opsgenie", config: { apiKey: "00000000-0000-4000-8000-000000000000" } }

layer(environment, { excludeTestServices: true })("the test of a channel that opens incidents", (it) => {
  const tested = (channel: object) =>
    Effect.gen(function* () {
      const { there } = yield* Pagers
      const ada = yield* person
      const made = yield* ada.withKey("POST", "/notification-channels", { name: "Pager", ...channel })
      const before = there.requests.length
      const answer = yield* ada.withKey("POST", `/notification-channels/${made.body.id}/test`)
      const record = yield* ada.withKey("GET", `/notification-channels/${made.body.id}`)
      return { answer, last: record.body.lastDelivery, requests: there.requests.slice(before) }
    })

  it.effect("resolves at PagerDuty what it triggered", () =>
    Effect.gen(function* () {
      const { answer, requests } = yield* tested(pagerduty)
      assert.deepInclude(answer.body, { delivered: true, detail: "HTTP 202 Event processed" })
      const events = requests.map(({ body }) => JSON.parse(body) as Record<string, string>)
      assert.deepStrictEqual(
        events.map(({ event_action: action }) => action),
        ["trigger", "resolve"]
      )
      assert.strictEqual(events[1]!["dedup_key"], events[0]!["dedup_key"])
    })
  )

  it.effect("closes at Opsgenie what it created, by an alias that needs no escaping", () =>
    Effect.gen(function* () {
      const { requests } = yield* tested(opsgenie)
      const { alias } = JSON.parse(requests[0]!.body) as { readonly alias: string }
      assert.match(alias, /^[A-Za-z0-9_-]+$/)
      assert.strictEqual(requests[1]!.url, `/v2/alerts/${alias}/close?identifierType=alias`)
    })
  )

  it.effect("reports if the incident cannot be closed", () =>
    Effect.gen(function* () {
      const pagers = yield* Pagers
      pagers.stuck = true
      const { answer, last } = yield* tested(pagerduty)
      pagers.stuck = false
      assert.strictEqual(answer.status, 200)
      assert.match(answer.body.detail, /^HTTP 202.*; the test incident is still open.*HTTP 503: out of order/)
      assert.deepInclude(last, { status: "delivered", detail: answer.body.detail })
    })
  )

  it.effect("sends one message to a channel that opens no incidents", () =>
    Effect.gen(function* () {
      const { there } = yield* Pagers
      const { requests } = yield* tested({ type: "webhook", config: { url: `${there.url}/hook` } })
      assert.lengthOf(requests, 1)
    })
  )
})
