/** A probe on the in-process bus with a scripted check; the bus can be cut off. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as PatientEvaluator from "@kanmon/testkit/PatientEvaluator"
import { BusClock } from "@kanmon/core/BusClock"
import * as Check from "@kanmon/core/Check"
import { Dialer } from "@kanmon/core/Dialer"
import { type Bucket, BusUnavailable, EventBus, type Incoming } from "@kanmon/core/EventBus"
import * as Plugin from "@kanmon/core/Plugin"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Resolver } from "@kanmon/core/Resolver"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorSpec } from "@kanmon/domain/Monitor"
import { Observation } from "@kanmon/domain/Observation"
import { checksStream, clockBucket, specBucket } from "@kanmon/domain/Subjects"
import { Probe, type ProbeSettings } from "@kanmon/probe/Probe"
import { Clock, Context, Deferred, Effect, Layer, Schema, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"

export const projectId = ProjectId.make("prj_1")
export const region = "eu-west"

const scripted = Check.define({
  type: "scripted",
  summary: "Passes after some milliseconds, fails, breaks, or never ends.",
  config: Schema.Struct({
    millis: Schema.Finite,
    act: Schema.optionalKey(Schema.Literals(["fail", "break", "hang", "explode", "date"])),
    invert: Schema.optionalKey(Schema.Boolean)
  }),
  example: { millis: 0 },
  defaults: { timeout: 5 },
  inversion: { field: "invert" },
  host: ({ act }) => {
    if (act === "explode") throw new Error("no host")
    return "a.example"
  },
  target: () => "a.example",
  run: ({ act, millis }) => {
    if (act === "hang") return Effect.uninterruptible(Effect.never)
    if (act === "break") return Effect.die(new Error("broken"))
    if (act === "fail") return new Check.CheckFailed({ status: "down", code: "refused", message: "It refused" })
    return Effect.as(Effect.sleep(millis), {
      responseTime: millis,
      ...(act === "date" ? { facts: { at: new Date(0), none: undefined } as never } : {})
    })
  }
})

const plugin = Plugin.define({ name: "scripted", contract: 1, checks: [scripted] })

export const spec = (name: string, more: Partial<MonitorSpec> = {}): MonitorSpec => ({
  id: MonitorId.make(`mon_${name}`),
  projectId,
  type: "scripted",
  interval: 10,
  timeout: 5,
  config: { millis: 1 },
  revision: 1,
  changedAt: -1_000_000,
  ...more
})

/** A bus with a switch. While it is off, requests fail and bucket watches end. */
export const makeBus = Effect.gen(function* () {
  const bus = Context.get(yield* Layer.build(InProcessBus.layer()), EventBus)
  yield* bus.ensureStream(checksStream)
  const away = new BusUnavailable({ detail: "cut off" })
  let cut = yield* Deferred.make<never, BusUnavailable>()
  let off = false
  const guard = <A>(effect: Effect.Effect<A, BusUnavailable>): Effect.Effect<A, BusUnavailable> =>
    Effect.suspend((): Effect.Effect<A, BusUnavailable> => (off ? Effect.fail(away) : effect))

  const switched = (bucket: Bucket): Bucket => ({
    put: (key, value) => guard(bucket.put(key, value)),
    get: (key) => guard(bucket.get(key)),
    remove: (key) => guard(bucket.remove(key)),
    replace: (key, value, revision) => guard(bucket.replace(key, value, revision)),
    keys: guard(bucket.keys),
    watch: Stream.unwrap(guard(Effect.sync(() => Stream.merge(bucket.watch, Stream.fromEffect(Deferred.await(cut))))))
  })
  const specs = yield* bus.bucket(specBucket(region))
  /** The bus's machine may live in another time. */
  let ahead = 0
  const elsewhere = Effect.updateService(Clock.Clock, (clock): Clock.Clock =>
    Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + ahead)
    })
  )
  return {
    bus: EventBus.of({
      ...bus,
      publish: (messages) => guard(bus.publish(messages)),
      bucket: (name, options) =>
        Effect.map(bus.bucket(name, options), (bucket) =>
          switched(
            name === clockBucket ? { ...bucket, put: (key, value) => elsewhere(bucket.put(key, value)) } : bucket
          )
        )
    }),
    /** Puts the clock of the bus's machine so many milliseconds ahead of the probe's, or behind. */
    setAhead: (millis: number) => Effect.sync(() => void (ahead = millis)),
    specs,
    put: (own: MonitorSpec) => specs.put(own.id, encode(own)),
    turnOff: Effect.gen(function* () {
      off = true
      yield* Deferred.fail(cut, away)
    }),
    turnOn: Effect.gen(function* () {
      cut = yield* Deferred.make<never, BusUnavailable>()
      off = false
    })
  }
})

const encode = Schema.encodeSync(Schema.fromJsonString(MonitorSpec))
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Observation))

let probes = 0

/** Starts a probe; it stops with the scope. */
export const startProbe = (
  bus: EventBus["Service"],
  settings: Partial<ProbeSettings> = {}
): Effect.Effect<Probe["Service"], BusUnavailable, Scope.Scope> =>
  Effect.map(
    Layer.build(
      Probe.layer({
        id: `probe${++probes}`,
        region,
        version: "0.0.0",
        concurrency: 100,
        hostConcurrency: 100,
        buffer: 100,
        announcementTtl: 15_000,
        ...settings
      }).pipe(
        Layer.provide(BusClock.layer(`${region}.lab`)),
        Layer.provide([
          PatientEvaluator.layer,
          Layer.succeed(EventBus, bus),
          SecureRandom.layerWebCrypto,
          Catalogue.layer([{ name: "scripted", load: () => Promise.resolve({ default: plugin }) }]),
          Layer.succeed(Dialer, {} as Dialer["Service"]),
          Layer.succeed(Resolver, {} as Resolver["Service"])
        ])
      )
    ),
    (context) => Context.get(context, Probe)
  )

/** Collects the messages of the bus, in order. */
export const listen = (bus: EventBus["Service"]) =>
  Effect.gen(function* () {
    const messages: Array<Incoming> = []
    yield* bus.replay({ stream: checksStream.name, from: 1 }).pipe(
      Stream.runForEach((message) => Effect.sync(() => void messages.push(message))),
      Effect.forkScoped
    )
    return {
      messages,
      observations: () => messages.map(({ payload }) => decode(payload)),
      of: (name: string) =>
        messages.map(({ payload }) => decode(payload)).filter(({ monitorId }) => monitorId === `mon_${name}`)
    }
  })
