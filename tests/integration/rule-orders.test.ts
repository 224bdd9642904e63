/**
 * A channel and a rule that are made around an open alert of a rule for every channel: whichever comes first, and wherever the review
 * of rules, an evaluation and the delivery of messages fall, each channel gets one message of the outage and one of its end.
 */
import { assert, layer } from "@effect/vitest"
import type { ChannelId, MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { AlertRules } from "@kanmon/monitoring/testing/alerts/AlertRules.ts"
import { Channels } from "@kanmon/monitoring/testing/channels/Channels.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { look } from "@kanmon/monitoring/testing/evaluation/RuleReviewWorker.ts"
import { Effect } from "effect"
import { tried } from "../support/Attempts.ts"
import { at, environment, evaluate, minute, noon, stage } from "../support/Stage.ts"

type Step = "channel" | "rule" | "review" | "evaluation"

/** Every order of some steps. */
const orders = <A>(steps: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  steps.length < 2
    ? [steps]
    : steps.flatMap((step) => orders(steps.filter((other) => other !== step)).map((rest) => [step, ...rest]))

const hook = { name: "Late", type: "webhook", config: { url: "https://example.org/late" } }

/** Sends what is due to a channel; returns the events of the messages that were sent. */
const sent = Effect.fnUntraced(function* (channel: ChannelId, now: number) {
  const deliveries = yield* Deliveries
  const events: Array<string> = []
  for (;;) {
    const due = yield* deliveries.next(channel, 10).pipe(at(now))
    if (due === undefined) return events
    if (due.notifiedBy !== null) {
      yield* deliveries.share(due).pipe(at(now))
      continue
    }
    yield* deliveries.conclude(due, tried(now, "delivered", "HTTP 200"), { _tag: "Delivered" }).pipe(at(now))
    events.push(due.notice.event)
  }
})

const scene = Effect.gen(function* () {
  const { channels, monitor, project } = yield* stage({ channels: 1 })
  yield* evaluate(monitor, 0, "up", "down")
  const all: Array<ChannelId> = [...channels]
  const told = new Map<ChannelId, Array<string>>()
  const deliver = Effect.fnUntraced(function* (now: number) {
    for (const id of all) told.set(id, [...(told.get(id) ?? []), ...(yield* sent(id, now))])
  })
  return { all, deliver, monitor, project, told: () => all.map((id) => told.get(id)?.join(" ")) }
})

/** What one step does at an instant. */
const does = (
  step: Step,
  {
    all,
    monitor,
    project
  }: { all: Array<ChannelId>; monitor: { id: MonitorId; projectId: ProjectId }; project: { id: ProjectId } }
) =>
  Effect.gen(function* () {
    switch (step) {
      case "channel":
        all.push((yield* (yield* Channels).create(project.id, hook)).id)
        return
      case "rule":
        yield* (yield* AlertRules).create(project.id, {
          name: "Second",
          monitorIds: [],
          channelIds: [],
          triggers: ["monitor_down"],
          consecutiveFailures: 1,
          resendEvery: 0
        })
        return
      case "review":
        return yield* look
      case "evaluation":
        yield* evaluate(monitor, 2, "down")
    }
  })

const once = "monitor_down monitor_up"

layer(environment, { timeout: "2 minutes", excludeTestServices: true })("an open alert of every channel", (it) => {
  it.effect.each([
    ["after each step", true],
    ["at the end", false]
  ] as const)("is one message for each channel, in every order of a new channel and a new rule, sent %s", ([, often]) =>
    Effect.forEach(
      orders<Step>(["channel", "rule", "review", "evaluation"]),
      (order) =>
        Effect.gen(function* () {
          const made = yield* scene
          yield* made.deliver(noon + 1.5 * minute)
          // Before the evaluation of minute 2, and after it, all within a second.
          const base = (index: number) =>
            noon + 2 * minute + (index < order.indexOf("evaluation") ? -500 : 0) + index * 100
          for (const [index, step] of order.entries()) {
            yield* does(step, made).pipe(at(base(index)))
            if (often) yield* made.deliver(base(index) + 50)
          }
          yield* look.pipe(at(noon + 2.2 * minute))
          yield* evaluate(made.monitor, 3, "down")
          yield* made.deliver(noon + 3.1 * minute)
          yield* evaluate(made.monitor, 4, "up")
          yield* made.deliver(noon + 4.1 * minute)
          assert.deepStrictEqual(made.told(), [once, once], order.join(", "))
        }),
      { discard: true }
    )
  )

  it.effect("is one message for each channel when all of it happens at once", () =>
    Effect.replicateEffect(
      Effect.gen(function* () {
        const made = yield* scene
        const now = noon + 2 * minute
        const steps: ReadonlyArray<Step> = ["channel", "rule", "review", "evaluation", "review"]
        yield* Effect.all(
          steps.map((step) => does(step, made).pipe(at(now))),
          { concurrency: "unbounded" }
        )
        yield* made.deliver(now + 1000)
        yield* look.pipe(at(now + 2000))
        yield* evaluate(made.monitor, 3, "down", "up")
        yield* made.deliver(noon + 4.1 * minute)
        assert.deepStrictEqual(made.told(), [once, once])
      }),
      10,
      { discard: true }
    )
  )
})
