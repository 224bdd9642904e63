/**
 * The networks that the check contract lets a check loose in. Whatever host a check names, its connections come out at a
 * server on loopback, and its lookups at an answer of the world: so that any check's own example can be run, offline.
 */
import { type Connection, Dialer, DialFailed, type DialOptions } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { type Records, type RecordType, ResolveFailed, Resolver } from "@kanmon/core/Resolver"
import { Context, Effect, Layer, type Scope } from "effect"
import { certificates } from "./Certificates.ts"
import * as Targets from "./Targets.ts"

export interface World {
  readonly capabilities: Context.Context<Dialer | Resolver>
  /** Connections asked for, and lookups. */
  readonly dials: () => number
  readonly lookups: () => number
  /** Connections that a server still sees. */
  readonly open: () => number
}

interface Parts {
  /** Where a connection goes. */
  readonly plain: Pick<Targets.Target, "port" | "open">
  readonly secure: Pick<Targets.Target, "port" | "open">
  readonly records: (hostname: string, type: RecordType) => Effect.Effect<Records, ResolveFailed>
  readonly dial?: (options: DialOptions) => Effect.Effect<Connection, DialFailed, Scope.Scope>
}

const worldOf = ({ dial, plain, records, secure }: Parts): Effect.Effect<World> =>
  Effect.gen(function* () {
    let dials = 0
    let lookups = 0
    const network = NodeDialer.layer({ allowPrivate: true }).pipe(
      Layer.provide(NodeResolver.layer({ allowPrivate: true }))
    )
    const real = yield* Effect.provide(
      Effect.map(Dialer, (service) => service),
      network
    )
    const looked = <A, E>(answer: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        lookups++
        return answer
      })
    return {
      capabilities: Context.make(
        Dialer,
        Dialer.of({
          dial: (options) =>
            Effect.suspend(() => {
              dials++
              if (dial !== undefined) {
                options.stage?.("connect")
                return dial(options)
              }
              const { port } = options.tls === undefined ? plain : secure
              return Effect.map(real.dial({ ...options, host: "127.0.0.1", port }), trusted)
            })
        })
      ).pipe(
        Context.add(
          Resolver,
          Resolver.of({
            records: (hostname, type) => looked(records(hostname, type)),
            addresses: (hostname) =>
              looked(Effect.as(records(hostname, "A"), [{ address: "192.0.2.1", family: 4 as const }]))
          })
        )
      ),
      dials: () => dials,
      lookups: () => lookups,
      open: () => plain.open() + secure.open()
    }
  })

/** The certificate of a world is good for whatever host was meant. */
const trusted = (connection: Connection): Connection =>
  connection.peer === null
    ? connection
    : { ...connection, peer: { ...connection.peer, authorizationError: null, nameMismatch: false } }

const nowhere = { port: 9, open: () => 0 }

const unresolved = (reason: ResolveFailed["reason"]) => () =>
  Effect.fail(new ResolveFailed({ reason, message: "The name could not be looked up" }))

const http = (behaviour: Targets.Behaviour, records: Parts["records"]) =>
  Effect.gen(function* () {
    const { good } = yield* certificates
    return yield* worldOf({
      plain: yield* Targets.http(behaviour),
      secure: yield* Targets.http(behaviour, good),
      records
    })
  })

const odd: Records = ["", "x".repeat(60_000), "\u0000\u001b[31m\r\n", "not what was asked for"]

/** Nothing listens, and no name resolves. */
export const refusing = Effect.gen(function* () {
  const port = yield* Targets.refusing
  const closed = { port, open: () => 0 }
  return yield* worldOf({ plain: closed, secure: closed, records: unresolved("dns_servfail") })
})

/** The probe itself cannot look: it has no way out and no resolver. */
export const offline = worldOf({
  plain: nowhere,
  secure: nowhere,
  records: unresolved("resolver_unavailable"),
  dial: () =>
    Effect.fail(new DialFailed({ reason: "egress_unavailable", message: "This probe has no route", timing: {} }))
})

/** Names never resolve, connections are never made. */
export const stuck = worldOf({
  plain: nowhere,
  secure: nowhere,
  records: () => Effect.never,
  dial: () => Effect.never
})

/** Connections are taken and nothing is ever said on them, not even in a handshake. */
export const silent = Effect.gen(function* () {
  const target = yield* Targets.tcp()
  return yield* worldOf({ plain: target, secure: { port: target.port, open: () => 0 }, records: () => Effect.never })
})

/** Requests are taken and not answered. */
export const mute = http(Targets.hang, () => Effect.never)

/** All is well: HTTP answers 200, names have a record. */
export const answering = http(Targets.answer({ body: "ok" }), () => Effect.succeed(["192.0.2.1"]))

/** Bytes that make no sense, and records that make none either. */
export const babbling = Effect.gen(function* () {
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))
  const target = yield* Targets.tcp((socket) => {
    socket.write(noise)
    socket.once("data", () => socket.end(noise))
  })
  return yield* worldOf({
    plain: target,
    secure: { port: target.port, open: () => 0 },
    records: () => Effect.succeed(odd)
  })
})

/** An answer without an end, and more records than anybody wants. */
export const endless = http(Targets.endless, () =>
  Effect.succeed(Array.from({ length: 20_000 }, (_, index) => `record ${index}`))
)

/** Connections break as soon as something is said. */
export const breaking = http(Targets.reset, unresolved("dns_failed"))
