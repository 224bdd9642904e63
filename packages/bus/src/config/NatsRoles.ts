/**
 * The permissions of each role on the bus: the subjects that its code publishes and subscribes to. When a role starts to use
 * another stream, bucket or subject, add it here; otherwise it is refused where roles have separate users.
 */
import { inbox } from "@kanmon/domain/Region"
import {
  checksStream,
  clockBucket,
  eventsStream,
  positionBucket,
  probeBucket,
  specBucket
} from "@kanmon/domain/Subjects"

export interface Rights {
  readonly publish: ReadonlyArray<string>
  /** In addition to replies to its own requests. */
  readonly hear: ReadonlyArray<string>
  /** Whether it may reply to requests that it receives. */
  readonly answers?: boolean
}

/** Observations of a region. */
const checksFrom = (region: string): string => `kanmon.checks.*.${region}.>`

/** Requests to the probes of a region. */
const requestsTo = (region: string): string => `kanmon.rpc.${region}.>`

const streamOf = (bucket: string): string => `KV_${bucket}`

/** JetStream's API subjects for a stream. */
const ask = (stream: string, ...verbs: ReadonlyArray<string>): ReadonlyArray<string> =>
  verbs.map((verb) => {
    const [name, rest] = verb.split(" ")
    return `$JS.API.${name}.${stream}${rest ?? ""}`
  })

const make = (stream: string) => ask(stream, "STREAM.CREATE", "STREAM.UPDATE", "STREAM.INFO")

/** With pull consumers. */
const read = (stream: string) => [
  ...ask(
    stream,
    "STREAM.INFO",
    "CONSUMER.CREATE .>",
    "CONSUMER.DURABLE.CREATE .*",
    "CONSUMER.INFO .*",
    "CONSUMER.DELETE .*",
    "CONSUMER.MSG.NEXT .*"
  ),
  `$JS.ACK.${stream}.>`
]

/** With push consumers and flow control. */
const readBucket = (bucket: string) => [
  ...ask(
    streamOf(bucket),
    "STREAM.INFO",
    "DIRECT.GET .>",
    "CONSUMER.CREATE .>",
    "CONSUMER.INFO .*",
    "CONSUMER.DELETE .*"
  ),
  `$JS.FC.${streamOf(bucket)}.>`
]

const write = (bucket: string, keys = ">"): string => `$KV.${bucket}.${keys}`

const together = (...parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => [...new Set(parts.flat())]

/** Used by the client when it connects. */
const anybody = ["$JS.API.INFO"]

/** Streams and the buckets of probes and clocks; api and engine both create them if missing. */
const foundations = together(
  anybody,
  make(checksStream.name),
  make(eventsStream.name),
  make(streamOf(probeBucket)),
  readBucket(probeBucket),
  make(streamOf(clockBucket)),
  readBucket(clockBucket),
  [write(clockBucket, "control-plane.>")]
)

export const engine = (regions: ReadonlyArray<string>): Rights => ({
  publish: together(
    foundations,
    read(checksStream.name),
    make(streamOf(positionBucket)),
    readBucket(positionBucket),
    [write(positionBucket)],
    eventsStream.subjects,
    // Heartbeat observations come from the engine; no probe may publish for this region.
    [checksFrom(inbox)],
    ...regions.map(specBucket).map((bucket) => [...make(streamOf(bucket)), ...readBucket(bucket), write(bucket)])
  ),
  hear: []
})

export const api = (regions: ReadonlyArray<string>): Rights => ({
  publish: together(foundations, read(eventsStream.name), regions.map(requestsTo)),
  hear: []
})

export const probe = (region: string): Rights => ({
  publish: together(
    anybody,
    [checksFrom(region), `kanmon.events.operator.probe.${region}.>`],
    readBucket(specBucket(region)),
    readBucket(probeBucket),
    [write(probeBucket, `${region}.>`)],
    readBucket(clockBucket),
    [write(clockBucket, `${region}.>`)]
  ),
  hear: [requestsTo(region)],
  answers: true
})

/**
 * Reads public events. Observations only as they are published: a consumer on their stream could replace the engine's.
 */
export const subscriber: Rights = {
  publish: together(anybody, read(eventsStream.name)),
  hear: [...checksStream.subjects, ...eventsStream.subjects]
}

const question = /^\$JS\.API\.(?:STREAM|CONSUMER)\.INFO\./

/**
 * Operations that a process of a role may perform without changing anything. A user without one of these rights belongs
 * to another role.
 */
export interface Trial {
  readonly requests: ReadonlyArray<string>
  readonly subscriptions: ReadonlyArray<string>
}

export const trial = ({ hear, publish }: Rights): Trial => ({
  requests: publish.flatMap((subject) => (question.test(subject) ? [subject.replace("*", "doctor")] : [])),
  subscriptions: hear
})

/** The api and the engine in one process, with a probe or without. */
export const controlPlane = (regions: ReadonlyArray<string>): Rights => {
  const parts = [engine(regions), api(regions), ...regions.map(probe)]
  return {
    publish: together(...parts.map(({ publish }) => publish)),
    hear: together(...parts.map(({ hear }) => hear)),
    answers: true
  }
}
