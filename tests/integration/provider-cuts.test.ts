/**
 * Providers cut the connection at each point of the exchange, for one attempt or two: no notice is lost, none is sent again that
 * the provider had accepted, and each repetition is recognised by its id.
 */
import { assert, layer } from "@effect/vitest"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Catalogue } from "@kanmon/core/PluginHost"
import { RecipientPolicy } from "@kanmon/core/Recipient"
import type { ChannelId } from "@kanmon/domain/Ids"
import { AlertHistory } from "@kanmon/monitoring/testing/alerts/AlertHistory.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import * as DeliveryAttempt from "@kanmon/monitoring/testing/delivery/DeliveryAttempt.ts"
import type { LeasedTarget } from "@kanmon/monitoring/testing/delivery/TargetLeases.ts"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import * as CutProvider from "../support/CutProvider.ts"
import * as Engines from "../support/Engines.ts"
import * as SetClock from "../support/SetClock.ts"
import { environment, evaluate, history, minute, noon, stage } from "../support/Stage.ts"

type Transport = "http" | "smtp"

/** What the deliverer takes for the time; providers move it by as long as they take. */
let now = noon
const passes = (millis: number): void => void (now += millis)

class Providers extends Context.Service<Providers, Readonly<Record<Transport, CutProvider.CutProvider>>>()(
  "@kanmon/tests/integration/provider-cuts/Providers"
) {}

const engine = "cuts"

const delivering = Layer.unwrap(
  Effect.gen(function* () {
    const [http, smtp] = [yield* CutProvider.http(passes), yield* CutProvider.smtp(passes)]
    const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_FROM: "alerts@kanmon.example" }
    yield* Engines.join(engine)
    return Layer.mergeAll(
      Layer.succeed(Providers, { http, smtp }),
      ChannelRunner.layer({ dialer: { allowPrivate: true }, operator: new Map([["email", settings]]) }).pipe(
        Layer.provide(NodeResolver.layer({ allowPrivate: true })),
        Layer.provide(Catalogue.layer(bundled))
      ),
      Catalogue.layer(bundled),
      Layer.succeed(RecipientPolicy, { confirm: false, phonePrefixes: [], perHour: { email: 1000, phone: 20 } })
    )
  })
).pipe(Layer.provideMerge(environment))

interface Case {
  readonly transport: Transport
  readonly stage: CutProvider.Stage
  /** What the provider does with one attempt after the other, and then accepts. */
  readonly acts: ReadonlyArray<CutProvider.Act>
  readonly title: string
}

const [accepting, failing] = [
  { http: [200, 201, 202], smtp: [250] },
  { http: [408, 425, 429, 500, 502, 503], smtp: [421, 450, 451, 452] }
] as const

const wellOf = (transport: Transport): CutProvider.Act => ({
  resets: false,
  status: accepting[transport][0],
  delay: 0
})

const hanging = "hangs in the answer's body"

/** Whether the provider has accepted the message, and its answer left. */
const accepts = ({ cut, status }: CutProvider.Act): boolean =>
  status < 300 &&
  (cut === undefined || ["in the answer's body", hanging, "after the answer", "after 250", "QUIT"].includes(cut))

/** Whether the head of an answer is read that says when to come again. */
const postpones = ({ cut, retryAfter }: CutProvider.Act): boolean =>
  retryAfter !== undefined && (cut === undefined || ["in the answer's body", hanging, "after the answer"].includes(cut))

/** The rest of a case is drawn: how the connection ends, status codes, delays, and a refusal before, between or after the cuts. */
const drawn = (transport: Transport, stageOf: CutProvider.Stage, times: number, seed: number): Case => {
  const delay = fc.nat(20_000)
  const failure = fc.record({
    resets: fc.constant(false),
    status: fc.constantFrom<number>(...failing[transport]),
    delay
  })
  const answersHttp = transport === "http" && /^(in the (status|headers|answer)|hangs|after)/.test(stageOf)
  const statuses = answersHttp ? [...accepting.http, ...failing.http] : accepting[transport]
  const cut = fc.record({
    cut: fc.constant(stageOf),
    resets: fc.boolean(),
    status: fc.constantFrom<number>(...statuses),
    delay
  })
  const [sample] = fc.sample(
    fc.record({
      cuts: fc.array(cut, { minLength: times, maxLength: times }),
      failure: fc.option(failure),
      place: fc.nat(times),
      retryAfter: fc.integer({ min: 1, max: 600 })
    }),
    { seed, numRuns: 1 }
  )
  const { cuts, failure: refusal, place, retryAfter } = sample!
  const acts = [...cuts.slice(0, place), ...(refusal === null ? [] : [refusal]), ...cuts.slice(place)].map(
    (act): CutProvider.Act => (act.status === 429 || act.status === 503 ? { ...act, retryAfter } : act)
  )
  const said = acts.map((act) => `${"cut" in act ? "cut" : "answered"} ${act.status}`).join(", ")
  return { transport, stage: stageOf, acts, title: `${transport}: ${stageOf} (${said})` }
}

const stages = [
  ...CutProvider.httpStages.map((one) => ["http", one] as const),
  ...CutProvider.smtpStages.map((one) => ["smtp", one] as const)
]
const cases = stages.flatMap(([transport, one], index) =>
  [1, 2].flatMap((times) =>
    [0, 1].map((variant) => drawn(transport, one, times, 4711 + 100 * index + 10 * times + variant))
  )
)

/** One attempt as the engine makes it: with a lease of its own, so that it reads the state of the channel anew. */
const attemptOnce = Effect.fnUntraced(
  function* (channel: ChannelId) {
    const deliveries = yield* Deliveries
    const { deliver } = yield* DeliveryAttempt.make("https://kanmon.example")
    const leased = yield* deliveries.lease(engine, minute, 100)
    const own = leased.find(({ id }) => id === channel) as LeasedTarget | undefined
    if (own === undefined) return undefined
    const due = yield* deliveries.next(channel)
    const outcome = due === undefined ? undefined : yield* deliver(own, due)
    yield* deliveries.release(own, engine)
    return outcome
  },
  SetClock.by(() => now)
)

/** Makes attempts until nothing is to be sent; returns when each began. */
const deliver = Effect.fnUntraced(function* (
  channel: ChannelId,
  provider: CutProvider.CutProvider,
  actOf: (attempt: number) => CutProvider.Act
) {
  const times: Array<{ readonly began: number; readonly ended: number }> = []
  for (;;) {
    const began = now
    yield* provider.expect(actOf(times.length))
    const outcome = yield* attemptOnce(channel)
    assert.isDefined(outcome, `attempt ${times.length}`)
    times.push({ began, ended: now })
    if (outcome!._tag === "Delivered") return times
    assert.strictEqual(outcome!._tag, "Retry")
    if (outcome!._tag !== "Retry") return times
    now = Math.max(outcome!.at, outcome!.restUntil ?? 0)
  }
})

const channelOf = (transport: Transport, port: number) =>
  transport === "http"
    ? { name: "Hook", type: "webhook", config: { url: `http://127.0.0.1:${port}/hook` } }
    : { name: "Mail", type: "email", config: { address: "ada@example.test" } }

layer(delivering, { excludeTestServices: true })("a provider that cuts the connection", (it) => {
  for (const { acts, title, transport } of cases)
    it.effect(title, () =>
      Effect.gen(function* () {
        const provider = (yield* Providers)[transport]
        provider.taken.length = 0
        const { monitor, project } = yield* stage({ channels: 0 })
        const draft = channelOf(transport, provider.port)
        const channel = yield* Effect.flatMap(Channels, (channels) => channels.create(project.id, draft))
        now = noon + 10 * minute
        yield* evaluate(monitor, 0, "up", "down")
        const actOf = (attempt: number) => acts[attempt] ?? wellOf(transport)
        const times = yield* deliver(channel.id, provider, actOf)

        const failures = acts.findIndex(accepts) < 0 ? acts.length : acts.findIndex(accepts)
        assert.lengthOf(times, failures + 1)
        const whole = provider.taken.flatMap(({ id }) => id ?? [])
        assert.lengthOf(new Set(whole), 1, "each repetition has the same id")
        assert.lengthOf(
          provider.taken.filter(({ isAccepted }) => isAccepted),
          1
        )
        for (const [index, act] of acts.slice(0, failures).entries())
          if (postpones(act))
            assert.isAtLeast(times[index + 1]!.began - times[index]!.ended, act.retryAfter! * 1000, "Retry-After")

        const [entry] = yield* history(project.id)
        assert.deepInclude(entry!, { status: "delivered", error: null })
        const alertHistory = yield* AlertHistory
        const [told] = yield* alertHistory.deliveries(project.id, entry!.id)
        assert.deepStrictEqual(
          told!.attempts.map(({ at, outcome }) => [at, outcome]),
          times.map(({ began }, index) => [began, index < failures ? "retrying" : "delivered"])
        )
        for (const { detail } of told!.attempts) assert.isNotEmpty(detail)

        // What follows finds its way as ever.
        now += minute
        yield* evaluate(monitor, Math.ceil((now - noon) / minute), "up")
        now += minute
        assert.lengthOf(yield* deliver(channel.id, provider, () => wellOf(transport)), 1)
        assert.lengthOf(
          provider.taken.filter(({ isAccepted }) => isAccepted),
          2
        )
        assert.notInclude(whole, provider.taken.at(-1)!.id)
      })
    )
})
