/**
 * A cache of the names that are served over TLS and of their certificates. Most handshakes need no query, and unknown names
 * together cause one query every few seconds. While the database is down, the cached certificates stay in use.
 */
import type { SecureContext } from "node:tls"
import { createSecureContext } from "node:tls"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Certificates, type StoredCertificate } from "./Certificates.ts"
import { Clock, Context, Effect, Layer, Redacted, Semaphore } from "effect"

/** How long an unknown name stays unknown. */
const unknownMillis = 5_000
/** How long a known name and its certificate are used without a new query. */
const knownMillis = 30_000
/** A context takes about 100 kB. The least recently used are dropped. */
const maxContexts = 1_000
const patience = "2 seconds"
/** How long a database that did not answer gets no further queries, so that handshakes do not queue up. */
const awayMillis = 5_000

interface Entry {
  readonly context: SecureContext
  readonly issuedAt: EpochMillis
  readonly notAfter: EpochMillis
  readonly readAt: EpochMillis
}

interface Service {
  /** Whether there is a valid certificate for the name, and a TLS listener. */
  readonly has: (name: string) => Effect.Effect<boolean>
  readonly contextOf: (name: string) => Effect.Effect<SecureContext | undefined>
}

/** Empty unless the process has a TLS listener. */
export class ServedCertificates extends Context.Reference<Service>(
  "@kanmon/monitoring/custom-domains/ServedCertificates",
  {
    defaultValue: (): Service => ({ has: () => Effect.succeed(false), contextOf: () => Effect.undefined })
  }
) {
  static readonly layer = Layer.effect(
    ServedCertificates,
    Effect.gen(function* () {
      const certificates = yield* Certificates
      const turn = yield* Semaphore.make(1)
      const contexts = new Map<string, Entry>()
      let names: ReadonlySet<string> = new Set()
      let namesReadAt = Number.NEGATIVE_INFINITY
      let awayUntil = Number.NEGATIVE_INFINITY

      /** Runs a query; returns `fallback` while the database is down. */
      const ask = <A, B>(look: Effect.Effect<A>, fallback: B): Effect.Effect<A | B> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          now < awayUntil
            ? Effect.succeed(fallback)
            : look.pipe(
                Effect.timeout(patience),
                Effect.catchCause((cause) =>
                  Effect.gen(function* () {
                    awayUntil = (yield* Clock.currentTimeMillis) + awayMillis
                    yield* Effect.logWarning("Certificates cannot be read; cached ones stay in use", cause)
                    return fallback
                  })
                )
              )
        )

      const isFresh = (name: string, now: EpochMillis): boolean =>
        now - namesReadAt < (names.has(name) ? knownMillis : unknownMillis)

      const has: Service["has"] = Effect.fnUntraced(function* (name) {
        if (isFresh(name, yield* Clock.currentTimeMillis)) return names.has(name)
        return yield* Effect.gen(function* () {
          // The previous holder of the permit may have read them already.
          if (isFresh(name, yield* Clock.currentTimeMillis)) return names.has(name)
          names = yield* ask(certificates.domains, names)
          namesReadAt = yield* Clock.currentTimeMillis
          return names.has(name)
        }).pipe(turn.withPermits(1))
      })

      const refresh = Effect.fnUntraced(function* (name: string) {
        const known = contexts.get(name)
        const found = yield* ask(certificates.find(name), known)
        const now = yield* Clock.currentTimeMillis
        contexts.delete(name)
        if (found === undefined || found.notAfter <= now) return undefined
        const context = "context" in found || found.issuedAt === known?.issuedAt ? known!.context : open(found)
        contexts.set(name, { context, issuedAt: found.issuedAt, notAfter: found.notAfter, readAt: now })
        if (contexts.size > maxContexts) contexts.delete(contexts.keys().next().value!)
        return context
      })

      const contextOf: Service["contextOf"] = Effect.fnUntraced(function* (name) {
        if (!(yield* has(name))) return undefined
        const usable = Effect.map(Clock.currentTimeMillis, (now) => {
          const entry = contexts.get(name)
          return entry !== undefined && now < entry.notAfter && now - entry.readAt < knownMillis ? entry : undefined
        })
        const entry = yield* usable
        if (entry === undefined)
          return yield* Effect.flatMap(usable, (late) =>
            late === undefined ? refresh(name) : Effect.succeed(late.context)
          ).pipe(turn.withPermits(1))
        contexts.delete(name)
        contexts.set(name, entry)
        return entry.context
      })

      return { has, contextOf }
    })
  )
}

export const oldestTls = "TLSv1.2"

const open = ({ chain, key }: StoredCertificate): SecureContext =>
  createSecureContext({ cert: chain, key: Redacted.value(key), minVersion: oldestTls })
