/** Permissions of the users of `kanmon nats config`, tested with their own keys and an unrestricted client. */
import { eventually } from "@kanmon/testkit/Eventually"
import { assert, describe, layer } from "@effect/vitest"
import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream"
import { headers, type NatsConnection } from "@nats-io/transport-node"
import { EventBus } from "@kanmon/core/EventBus"
import * as NatsBus from "@kanmon/bus/NatsBus"
import { inbox } from "@kanmon/domain/Region"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Folder from "../../support/Folder.ts"
import { kanmon } from "../../support/Kanmon.ts"
import * as NatsServer from "../../support/NatsServer.ts"
import { RoledNats } from "../../support/RoledNats.ts"

const specs = (region: string): string => `kanmon_monitors_${region}`
const allStreams = [
  "KANMON_CHECKS",
  "KANMON_EVENTS",
  "KV_kanmon_probes",
  `KV_${specs("eu-west")}`,
  `KV_${specs("us-east")}`
]

/** Nobody may do this to any stream; who may make one makes Kanmon's own. */
const harm = allStreams.flatMap((stream) => [
  `$JS.API.STREAM.DELETE.${stream}`,
  `$JS.API.STREAM.PURGE.${stream}`,
  `$JS.API.STREAM.MSG.DELETE.${stream}`,
  `$JS.API.STREAM.MSG.GET.${stream}`,
  "$JS.API.STREAM.CREATE.MINE",
  "$JS.API.STREAM.LIST",
  "$JS.API.STREAM.NAMES"
])

const anEvent = "kanmon.events.prj_1.monitor.mon_1.down"
const anObservation = (region: string): string => `kanmon.checks.7.${region}.prj_1.mon_1`

const refused: Readonly<
  Record<string, { readonly publish: ReadonlyArray<string>; readonly hear: ReadonlyArray<string> }>
> = {
  "probe-us-east": {
    publish: [
      ...allStreams.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`]),
      anEvent,
      "kanmon.events.operator.probe.eu-west.p1.offline",
      anObservation("eu-west"),
      anObservation(inbox),
      `$KV.${specs("eu-west")}.mon_1`,
      `$KV.${specs("us-east")}.mon_1`,
      "$KV.kanmon_probes.eu-west.p1",
      "kanmon.rpc.eu-west.run",
      `$JS.API.STREAM.INFO.KV_${specs("eu-west")}`,
      `$JS.API.DIRECT.GET.KV_${specs("eu-west")}.$KV.${specs("eu-west")}.mon_1`,
      `$JS.API.CONSUMER.CREATE.KV_${specs("eu-west")}.mine`,
      "$JS.API.STREAM.INFO.KANMON_EVENTS",
      "$JS.API.CONSUMER.CREATE.KANMON_EVENTS.mine",
      "$JS.API.STREAM.INFO.KANMON_CHECKS",
      "$JS.API.CONSUMER.CREATE.KANMON_CHECKS.mine",
      "$JS.API.CONSUMER.MSG.NEXT.KANMON_CHECKS.engine"
    ],
    hear: [">", "kanmon.events.>", "kanmon.checks.>", "kanmon.rpc.eu-west.>", `$KV.${specs("eu-west")}.>`, "_INBOX.>"]
  },
  subscriber: {
    publish: [
      ...allStreams.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`]),
      anEvent,
      anObservation("eu-west"),
      anObservation(inbox),
      `$KV.${specs("eu-west")}.mon_1`,
      "$KV.kanmon_probes.eu-west.p1",
      "kanmon.rpc.eu-west.run",
      `$JS.API.STREAM.INFO.KV_${specs("eu-west")}`,
      `$JS.API.CONSUMER.CREATE.KV_${specs("eu-west")}.mine`,
      "$JS.API.CONSUMER.MSG.NEXT.KANMON_CHECKS.engine",
      "$JS.API.CONSUMER.DELETE.KANMON_CHECKS.engine"
    ],
    hear: [">", "kanmon.rpc.>", "$KV.>", "$JS.>"]
  },
  api: {
    publish: [
      anEvent,
      anObservation("eu-west"),
      anObservation(inbox),
      `$KV.${specs("eu-west")}.mon_1`,
      "$KV.kanmon_probes.eu-west.p1",
      "$JS.API.CONSUMER.DELETE.KANMON_CHECKS.engine"
    ],
    hear: [">", "kanmon.>", "_INBOX.>"]
  },
  engine: {
    publish: [anObservation("eu-west"), "$KV.kanmon_probes.eu-west.p1", "kanmon.rpc.eu-west.run"],
    hear: [">", "kanmon.>", "_INBOX.>"]
  },
  "control-plane": { publish: [], hear: [">", "kanmon.events.>", "kanmon.checks.>", "_INBOX.>"] }
}

const messageOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "it was let through",
    (error: Error) => `${error.message} ${(error.cause as Error | undefined)?.message ?? ""}`
  )

const publishing = (connection: NatsConnection, subject: string) =>
  Effect.promise(() => messageOf(connection.request(subject, "{}", { timeout: 2000 })))

const hearing = (connection: NatsConnection, subject: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        connection.subscribe(subject, { callback: (error) => resolve(error === null ? "heard" : error.message) })
        // The server answers in order: what it has not refused by now, it accepts.
        void connection.flush().then(() => resolve("accepted"))
      })
  )

/** The streams and buckets, as the engine makes them; what is counted is what nobody else may add to. */
const foundations = Effect.fnUntraced(function* (manager: JetStreamManager) {
  yield* Effect.promise(async () => {
    await manager.streams.add({ name: "KANMON_CHECKS", subjects: ["kanmon.checks.>"] })
    await manager.streams.add({ name: "KANMON_EVENTS", subjects: ["kanmon.events.>"] })
    for (const bucket of ["kanmon_probes", specs("eu-west"), specs("us-east")]) {
      await manager.streams.add({
        name: `KV_${bucket}`,
        subjects: [`$KV.${bucket}.>`],
        max_msgs_per_subject: 1,
        allow_direct: true
      })
    }
  })
  return Effect.promise(async () => {
    const counts: Record<string, number> = {}
    for (const stream of allStreams) counts[stream] = (await manager.streams.info(stream)).state.last_seq
    return counts
  })
})

describe.skipIf(NatsServer.skipped)(`users for each role${NatsServer.note}`, () => {
  layer(RoledNats.layer(["eu-west", "us-east"]), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    for (const [user, { hear, publish }] of Object.entries(refused)) {
      it.effect(`limits ${user} to its rights`, () =>
        Effect.gen(function* () {
          const bus = yield* RoledNats
          const connection = yield* bus.join(user)
          const others = ["api", "engine", "control-plane", "probe-eu-west"].filter((other) => other !== user)
          const inboxes = yield* Effect.forEach(user === "subscriber" ? [] : others, bus.inboxOf)
          for (const subject of [...harm, ...publish]) {
            assert.include(yield* publishing(connection, subject), `Violation for Publish to "${subject}"`)
          }
          for (const subject of [...hear, ...inboxes.map((inbox) => `${inbox}.>`)]) {
            assert.include(yield* hearing(connection, subject), `Violation for Subscription to "${subject}"`)
          }
        })
      )
    }

    it.effect("distinguishes a refused publish from a bus that is down", () =>
      Effect.gen(function* () {
        const url = Redacted.make((yield* RoledNats).urlOf("api"))
        const bus = Context.get(yield* Layer.build(NatsBus.layer({ url, description: "NATS" })), EventBus)
        const error = yield* Effect.flip(bus.publish([{ id: "h1", subject: anObservation(inbox), payload: "{}" }]))
        assert.isTrue(error.refused)
      })
    )

    it.effect("receives replies only in its own inbox", () =>
      Effect.gen(function* () {
        const bus = yield* RoledNats
        const engine = yield* bus.join("engine")
        const count = yield* foundations(yield* Effect.promise(() => jetstreamManager(engine)))
        const probe = yield* bus.join("probe-us-east")
        const subscriber = yield* bus.join("subscriber")
        const heard: Array<string> = []
        // Not to one event's subject alone: see decision 13 about who pushes there.
        for (const subject of ["kanmon.events.>", "kanmon.events.*.monitor.*.down", "kanmon.checks.*.eu-west.>"]) {
          subscriber.subscribe(subject, { callback: (_error, message) => void heard.push(message.string()) })
        }
        const announcement = "$KV.kanmon_probes.us-east.p1"
        const forged = headers()
        forged.set("ce-type", "kanmon.monitor.down")
        yield* Effect.promise(async () => {
          await subscriber.flush()
          await probe.request(announcement, "forged", { headers: forged, timeout: 2000 })
        })
        const before = yield* count
        const places = [
          anEvent,
          anObservation("eu-west"),
          anObservation(inbox),
          `$KV.${specs("eu-west")}.mon_1`,
          "$KV.kanmon_probes.eu-west.p1"
        ]
        yield* Effect.promise(async () => {
          for (const reply of places) {
            probe.publish("$JS.API.INFO", "", { reply })
            probe.publish("$JS.API.STREAM.INFO.KV_kanmon_probes", "", { reply })
            probe.publish(`$JS.API.DIRECT.GET.KV_kanmon_probes.${announcement}`, "", { reply })
            probe.publish(anObservation("us-east"), "{}", { reply })
            const config = { deliver_subject: reply, ack_policy: "none", deliver_policy: "all" }
            const create = JSON.stringify({ stream_name: "KV_kanmon_probes", config: { ...config, name: "mine" } })
            await probe.request("$JS.API.CONSUMER.CREATE.KV_kanmon_probes.mine", create, { timeout: 2000 })
            // Subscribers share a key, so they receive each other's messages.
            if (reply.startsWith("$KV.")) subscriber.publish("$JS.API.STREAM.INFO.KANMON_EVENTS", "", { reply })
          }
          await probe.flush()
          await subscriber.flush()
          // The server works off what it sends on its own account later, in order: these answers are the last.
          await probe.request("$JS.API.STREAM.INFO.KV_kanmon_probes", "", { timeout: 60_000 }).catch(() => undefined)
          await subscriber.request("$JS.API.STREAM.INFO.KANMON_EVENTS", "", { timeout: 60_000 }).catch(() => undefined)
        })
        // Its own observations are all that came.
        const checks = before["KANMON_CHECKS"]! + places.length
        const after = yield* eventually(count, ({ KANMON_CHECKS }) => KANMON_CHECKS! >= checks)
        assert.deepStrictEqual(after, { ...before, KANMON_CHECKS: checks })
        assert.deepStrictEqual(heard, [])
      })
    )

    it.effect("appears in the output of doctor, with a warning for another role's user", () =>
      Effect.gen(function* () {
        const bus = yield* RoledNats
        const folder = yield* Folder.make()
        const ask = (user: string, role: string) =>
          kanmon(["doctor"], {
            NATS_URL: bus.urlOf(user),
            KANMON_ROLES: role,
            KANMON_REGION: "us-east",
            DATABASE_URL: "postgres://127.0.0.1:1/nobody",
            KANMON_DATA_DIR: folder
          })
        const [own, engine, other, mistaken] = yield* Effect.all(
          [
            ask("probe-us-east", "probe"),
            ask("engine", "engine"),
            ask("probe-us-east", "api,probe"),
            ask("api", "engine")
          ],
          { concurrency: 2 }
        )
        assert.match(
          own.output,
          /ok {2}bus +NATS_URL answers: nats-server \S+, as the nkey U\w+ \(.+\), not encrypted\n/
        )
        assert.match(other.output, /!! {2}bus +NATS_URL is another role's .* it may not use \S+/)
        assert.strictEqual(other.code, 1)
        assert.include(engine.output, "ok  bus       NATS_URL answers")
        assert.match(mistaken.output, /!! {2}bus +NATS_URL is another role's .* it may not use \S+/)
      })
    )

    it.effect("keeps existing users when a region is added, which a running server loads", () =>
      Effect.gen(function* () {
        const bus = yield* RoledNats
        const before = yield* bus.inboxOf("probe-us-east")
        yield* bus.addRegion("ap-south")
        assert.strictEqual(yield* bus.inboxOf("probe-us-east"), before)
        const announce = (region: string) =>
          Effect.flatMap(bus.join(`probe-${region}`), (probe) =>
            Effect.tryPromise(() => probe.request(`$KV.kanmon_probes.${region}.p9`, "{}", { timeout: 2000 }))
          )
        // nats-server 2.9 sees what a new account imports only when it reads for the second time.
        yield* eventually(
          bus.reload.pipe(
            Effect.andThen(announce("ap-south")),
            Effect.catchDefect((defect) => Effect.fail(defect))
          )
        )
        yield* announce("us-east")
      })
    )
  })
})
