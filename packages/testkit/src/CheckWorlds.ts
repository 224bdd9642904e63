/**
 * Simulated networks for the check contract. For every host that a check names, connections end at a server on loopback
 * and lookups at a fixed answer, so that any check's example runs offline.
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
  /** Number of connections requested and of lookups. */
  readonly dials: () => number
  readonly lookups: () => number
  /** Connections that are still open at the server. */
  readonly open: () => number
}

interface Parts {
  /** The server that connections lead to. */
  readonly plain: Pick<Targets.Target, "port" | "open">
  readonly secure: Pick<Targets.Target, "port" | "open">
  readonly records: (hostname: string, type: RecordType) => Effect.Effect<Records, ResolveFailed>
  readonly dial?: (options: DialOptions) => Effect.Effect<Connection, DialFailed, Scope.Scope>
  /** Echo requests that are answered, of those that are sent; none by default. */
  readonly echo?: (count: number) => Effect.Effect<number, DialFailed>
}

const unanswered = () => Effect.succeed(0)

const worldOf = ({ dial, echo = unanswered, plain, records, secure }: Parts): Effect.Effect<World> =>
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
          ping: ({ count, stage }) =>
            Effect.suspend(() => {
              dials++
              stage?.("request")
              return Effect.map(echo(count), (received) => ({
                address: "192.0.2.1",
                sent: count,
                received,
                times: Array.from({ length: received }, (_, index) => 10 + index),
                timing: { dns: 1 }
              }))
            }),
          dial: (options) =>
            Effect.suspend(() => {
              dials++
              if (dial !== undefined) {
                options.stage?.("connect")
                return dial(options)
              }
              const { port } = options.tls === undefined ? plain : secure
              return Effect.map(real.dial({ ...options, address: "127.0.0.1", port }), trusted)
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

/** The network's certificate is valid for any host. */
const trusted = (connection: Connection): Connection =>
  connection.peer === null
    ? connection
    : { ...connection, peer: { ...connection.peer, authorizationError: null, nameMismatch: false } }

const nowhere = { port: 9, open: () => 0 }

const unresolved = (reason: ResolveFailed["reason"]) => () =>
  Effect.fail(new ResolveFailed({ reason, message: "The name could not be looked up" }))

const http = (behaviour: Targets.Behaviour, records: Parts["records"], echo: Parts["echo"] = unanswered) =>
  Effect.gen(function* () {
    const { good } = yield* certificates
    return yield* worldOf({
      plain: yield* Targets.http(behaviour),
      secure: yield* Targets.http(behaviour, good),
      records,
      echo
    })
  })

const odd: Records = ["", "x".repeat(60_000), "\u0000\u001b[31m\r\n", "not what was asked for"]

/** Nothing listens, and no name resolves. */
export const refusing = Effect.gen(function* () {
  const port = yield* Targets.refusing
  const closed = { port, open: () => 0 }
  return yield* worldOf({ plain: closed, secure: closed, records: unresolved("dns_servfail") })
})

const noRoute = Effect.fail(
  new DialFailed({ reason: "egress_unavailable", message: "The probe has no route", timing: {} })
)

/** The probe has neither a connection nor a resolver. */
export const offline = worldOf({
  plain: nowhere,
  secure: nowhere,
  records: unresolved("resolver_unavailable"),
  dial: () => noRoute,
  echo: () => noRoute
})

/** Lookups and connections never complete. */
export const stuck = worldOf({
  plain: nowhere,
  secure: nowhere,
  records: () => Effect.never,
  dial: () => Effect.never,
  echo: () => Effect.never
})

/** Connections are accepted but nothing is sent, not even in a handshake. */
export const silent = Effect.gen(function* () {
  const target = yield* Targets.tcp()
  return yield* worldOf({
    plain: target,
    secure: { port: target.port, open: () => 0 },
    records: () => Effect.never,
    echo: () => Effect.never
  })
})

/** Requests are accepted and not answered. */
export const mute = http(
  Targets.hang,
  () => Effect.never,
  () => Effect.never
)

/** Healthy: HTTP answers 200, and names have a record. */
export const answering = http(
  Targets.answer({ body: "ok" }),
  () => Effect.succeed(["192.0.2.1"]),
  (count) => Effect.succeed(count)
)

/** Random bytes, and meaningless records. */
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

/** An endless answer, and too many records. */
export const endless = http(Targets.endless, () =>
  Effect.succeed(Array.from({ length: 20_000 }, (_, index) => `record ${index}`))
)

/** Connections break as soon as data is sent. */
export const breaking = http(Targets.reset, unresolved("dns_failed"))
