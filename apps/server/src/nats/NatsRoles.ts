/**
 * What each role may do on the bus, and nothing more: the subjects to which its code publishes and those that it hears. Who
 * teaches a role to use another stream, bucket or subject adds it here, or it is refused where the roles have users of their own.
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
  /** Beside the answers to its own requests. */
  readonly hear: ReadonlyArray<string>
  /** Whether it may answer those whose requests it hears. */
  readonly answers?: boolean
}

/** Observations made in a region. */
const checksFrom = (region: string): string => `kanmon.checks.*.${region}.>`

/** Requests to the probes of a region, and to all. */
const requestsTo = (region: string): string => `kanmon.rpc.${region}.>`

const streamOf = (bucket: string): string => `KV_${bucket}`

/** JetStream's own subjects: what is asked of the server about a stream. */
const ask = (stream: string, ...verbs: ReadonlyArray<string>): ReadonlyArray<string> =>
  verbs.map((verb) => {
    const [name, rest] = verb.split(" ")
    return `$JS.API.${name}.${stream}${rest ?? ""}`
  })

const make = (stream: string) => ask(stream, "STREAM.CREATE", "STREAM.UPDATE", "STREAM.INFO")

/** With consumers that take what they are ready for. */
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

/** A bucket's readers are pushed to, and steer the flow. */
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

/** What the client asks when it connects, and who it is for the server. */
const anybody = ["$JS.API.INFO"]

/** Streams and the buckets of probes and clocks, which api and engine make, whoever comes first. */
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
    // Heartbeat observations come from the database; no probe may publish in this place's name.
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
 * Whoever reads what is published for others. Observations only as they come: a consumer on their stream could take the
 * engine's place.
 */
export const subscriber: Rights = {
  publish: together(anybody, read(eventsStream.name)),
  hear: [...checksStream.subjects, ...eventsStream.subjects]
}

/** The api and the engine in one process, with a probe or without. */
export const centre = (regions: ReadonlyArray<string>): Rights => {
  const parts = [engine(regions), api(regions), ...regions.map(probe)]
  return {
    publish: together(...parts.map(({ publish }) => publish)),
    hear: together(...parts.map(({ hear }) => hear)),
    answers: true
  }
}
