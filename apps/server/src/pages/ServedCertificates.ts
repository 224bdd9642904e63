/**
 * The names that this process serves over TLS, and their certificates, kept in memory: a handshake costs the database nothing
 * as a rule, and however many made-up names somebody tries, they cost one query every few seconds together. What was known
 * holds on while the database is away.
 */
import type { SecureContext } from "node:tls"
import { createSecureContext } from "node:tls"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Certificates, type StoredCertificate } from "@kanmon/store/certificates/Certificates"
import { Clock, Context, Effect, Layer, Redacted, Semaphore } from "effect"

/** How soon a name that was not there is found once it is. */
const unknownMillis = 5_000
/** How soon a name that is gone, or a certificate that was renewed, is noticed. */
const knownMillis = 30_000
/** Contexts are some 100 kB each; those not asked for longest make room. */
const mostContexts = 1_000
const patience = "2 seconds"
/** How long a database that did not answer is not asked again: handshakes must not queue up behind it. */
const awayMillis = 5_000

interface Entry {
  readonly context: SecureContext
  readonly issuedAt: EpochMillis
  readonly notAfter: EpochMillis
  readonly readAt: EpochMillis
}

interface Service {
  /** Whether there is a valid certificate for the name, and a listener that uses it. */
  readonly has: (name: string) => Effect.Effect<boolean>
  readonly contextOf: (name: string) => Effect.Effect<SecureContext | undefined>
}

/** Unless a TLS listener is there, nothing is served. */
export class ServedCertificates extends Context.Reference<Service>("@kanmon/server/ServedCertificates", {
  defaultValue: (): Service => ({ has: () => Effect.succeed(false), contextOf: () => Effect.undefined })
}) {
  static readonly layer = Layer.effect(
    ServedCertificates,
    Effect.gen(function* () {
      const certificates = yield* Certificates
      const turn = yield* Semaphore.make(1)
      const contexts = new Map<string, Entry>()
      let names: ReadonlySet<string> = new Set()
      let namesReadAt = Number.NEGATIVE_INFINITY
      let awayUntil = Number.NEGATIVE_INFINITY

      /** Runs a look at the database; `fallback` stands in for it while it is away. */
      const ask = <A, B>(look: Effect.Effect<A>, fallback: B): Effect.Effect<A | B> =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          now < awayUntil
            ? Effect.succeed(fallback)
            : look.pipe(
                Effect.timeout(patience),
                Effect.catchCause((cause) =>
                  Effect.gen(function* () {
                    awayUntil = (yield* Clock.currentTimeMillis) + awayMillis
                    yield* Effect.logWarning("Certificates cannot be read; those in memory go on serving", cause)
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
          // Whoever was in turn before may have looked already.
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
        if (contexts.size > mostContexts) contexts.delete(contexts.keys().next().value!)
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
