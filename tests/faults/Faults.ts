/** What is done to a fleet, one after the other: each process in turn, pairs, a cut wire, a bus full of other people's words. */
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import * as Subjects from "@kanmon/domain/Subjects"
import { connect } from "@nats-io/transport-node"
import { jetstream } from "@nats-io/jetstream"
import { Effect } from "effect"
import { type Fleet, probes } from "./Fleet.ts"

export interface Fault {
  readonly name: string
  /** About how long it takes, in milliseconds. */
  readonly millis: number
  readonly happen: (fleet: Fleet) => Effect.Effect<void>
}

/** How long a process stays dead, or frozen; between two faults, everything has to come to rest. */
const deadMillis = 12_000
const frozenMillis = 15_000
const restMillis = 6000
const cutMillis = 60_000
const overflowMillis = 60_000
/** Messages of a flood, and how many are sent at once. */
const flood = 200_000
const together = 1000

const rested = (name: string, millis: number, happen: (fleet: Fleet) => Effect.Effect<void>): Fault => ({
  name,
  millis: millis + restMillis,
  happen: (fleet) => Effect.andThen(happen(fleet), Effect.sleep(restMillis))
})

/** Kills them all at the same instant, and starts them again. */
const killed = (...names: ReadonlyArray<string>): Fault => killedFor(deadMillis, names)

const killedFor = (millis: number, names: ReadonlyArray<string>): Fault =>
  rested(`kill ${names.join(" and ")}`, millis + 4000, (fleet) =>
    Effect.gen(function* () {
      const members = names.map(fleet.member)
      yield* Effect.forEach(members, ({ kill }) => kill, { concurrency: "unbounded", discard: true })
      yield* Effect.sleep(millis)
      yield* Effect.forEach(members, ({ start }) => start, { concurrency: "unbounded", discard: true })
    })
  )

/** Stops them all at the same instant, and lets them go on. */
const frozen = (...names: ReadonlyArray<string>): Fault => frozenFor(frozenMillis, names)

const frozenFor = (millis: number, names: ReadonlyArray<string>): Fault =>
  rested(`freeze ${names.join(" and ")}`, millis, (fleet) =>
    Effect.gen(function* () {
      const members = names.map(fleet.member)
      yield* Effect.forEach(members, ({ freeze }) => freeze, { concurrency: "unbounded", discard: true })
      yield* Effect.sleep(millis)
      yield* Effect.forEach(members, ({ thaw }) => thaw, { concurrency: "unbounded", discard: true })
    })
  )

const cutFor = (millis: number): Fault =>
  rested("cut a probe off the bus", millis, (fleet) =>
    Effect.andThen(fleet.cut, Effect.andThen(Effect.sleep(millis), fleet.mend))
  )

/** Observations of monitors that nobody has, as an abandoned installation's probe would send them, while nobody reads. */
const flooded = (engines: ReadonlyArray<string>): Fault =>
  rested("flood the bus while the engines are frozen", frozenMillis + 15_000, (fleet) =>
    Effect.gen(function* () {
      const members = engines.map(fleet.member)
      yield* Effect.forEach(members, ({ freeze }) => freeze, { discard: true })
      yield* Effect.promise(() => pour(fleet.natsUrl))
      yield* Effect.sleep(frozenMillis)
      yield* Effect.forEach(members, ({ thaw }) => thaw, { discard: true })
    })
  )

const pour = async (url: string): Promise<void> => {
  const connection = await connect({ servers: url })
  const stream = jetstream(connection)
  const at = new Date().toISOString()
  const stranger = (slot: number) => {
    const observation = {
      monitorId: MonitorId.make(`mon_stranger${slot % 500}`),
      projectId: ProjectId.make("prj_stranger"),
      region: "eu-west",
      slot,
      scheduledAt: at,
      checkedAt: at,
      status: "down",
      responseTime: null,
      timing: {},
      failure: { code: "timeout", message: "A stranger's target took too long" },
      facts: {}
    }
    return stream.publish(Subjects.check(observation), JSON.stringify(observation))
  }
  for (let round = 0; round < flood / together; round++) {
    await Promise.all(Array.from({ length: together }, (_, index) => stranger(round * together + index)))
  }
  await connection.close()
}

/** Nobody reads the bus for longer than a small one has room. */
export const overflow: Fault = frozenFor(overflowMillis, ["engine-1"])

/** So many times the bus is away for all, or each third time for one probe, for three to eight seconds. */
export const cuts = (count: number): ReadonlyArray<Fault> =>
  Array.from({ length: count }, (_, index) => {
    const millis = 3000 + ((index * 1_931) % 5000)
    return index % 3 === 2 ? cutFor(millis) : killedFor(millis, ["nats"])
  })

/** All of it. The first probes share a region, the third is alone in its own. */
export const all = (engines: number): ReadonlyArray<Fault> => {
  const engineNames = Array.from({ length: engines }, (_, index) => `engine-${index + 1}`)
  const each = [...probes, ...engineNames, "api-1", "api-2", "nats", "postgres"]
  return [
    ...each.map((name) => killed(name)),
    ...each.map((name) => frozen(name)),
    killed("probe-1", "engine-1"),
    killed("engine-1", "nats"),
    killed("postgres", "probe-2"),
    frozen("nats", "probe-1"),
    ...(engines > 1 ? [killed(...engineNames), frozen(...engineNames)] : []),
    killed("api-1", "api-2"),
    frozen("nats", "postgres"),
    cutFor(cutMillis),
    flooded(engineNames)
  ]
}
