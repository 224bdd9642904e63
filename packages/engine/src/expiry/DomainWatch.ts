/**
 * Watches the registrations of the domains behind monitors: asks each registry once a day, however many monitors share the
 * domain, and decides about their alerts as the end comes nearer.
 */
import { defaultDomainThreshold, domainConditions } from "@kanmon/domain/Alerting"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { type DomainLookup, type DomainMonitor, Domains } from "@kanmon/store/monitors/Domains"
import { Clock, type Duration, Effect, Layer, Random } from "effect"
import { Alerts } from "../alerts/Alerts.ts"
import { every } from "../Job.ts"
import { Rdap, registrableDomain, type Registration, type RdapError } from "./Rdap.ts"

/** Domains that are asked about at once; `Rdap` sees to it that no registry is asked twice at a time. */
const atOnce = 16
/** How long an engine that has taken a domain may need for it. */
const leaseMillis = 15 * 60_000
const hourMillis = 3_600_000
/** How often it looks for new monitors and for what is due. */
const pollInterval: Duration.Input = "5 seconds"

const domainOf = (address: string): string | undefined =>
  URL.canParse(address) ? registrableDomain(new URL(address).hostname) : undefined

/** What an answer means, and when to ask again. `random` in `[0, 1)` spreads the questions over time. */
export const learned = (answer: Registration | RdapError, now: EpochMillis, random: number): DomainLookup => {
  const inDays = (days: number) => now + Math.round(days * dayMillis * (0.95 + 0.1 * random))
  if (!("_tag" in answer)) {
    const problem = answer.expiresAt === null ? "The registry does not publish when the registration ends" : null
    return { registration: answer, problem, nextCheckAt: inDays(1) }
  }
  switch (answer._tag) {
    case "Unsupported":
      return {
        problem: "Unsupported: the registry of this top-level domain does not offer RDAP",
        nextCheckAt: inDays(7)
      }
    case "NotRegistered":
      return {
        registration: { expiresAt: null, registrar: null },
        problem: "The registry does not know this domain",
        nextCheckAt: inDays(1)
      }
    case "Throttled":
      return { problem: null, nextCheckAt: now + answer.retryAfter * 1000 }
    case "Failed":
      return { problem: answer.detail, nextCheckAt: now + Math.round(hourMillis * (0.8 + 0.4 * random)) }
  }
}

/** Decides about the monitors whose domain ends soon, and those with an open alert about it. */
export const decide: Effect.Effect<void, never, Alerts | Domains> = Effect.gen(function* () {
  const alerts = yield* Alerts
  const domains = yield* Domains
  const at = yield* Clock.currentTimeMillis
  yield* domains.decide(defaultDomainThreshold, (monitors, book) =>
    alerts.decide(
      monitors.map((monitor) => momentOf(monitor, at)),
      book
    )
  )
})

const watch = Effect.gen(function* () {
  const domains = yield* Domains
  const rdap = yield* Rdap

  const ask = Effect.fnUntraced(function* (name: string) {
    const answer = yield* rdap.lookup(name).pipe(Effect.catch((error) => Effect.succeed(error)))
    const lookup = learned(answer, yield* Clock.currentTimeMillis, yield* Random.next)
    if (lookup.problem !== null)
      yield* Effect.logDebug("A domain's registration is not known").pipe(
        Effect.annotateLogs({ domain: name, problem: lookup.problem })
      )
    yield* domains.note(name, lookup)
  })

  /** Reads new monitors, asks what is due, and decides when anything was learned. */
  const round = Effect.gen(function* () {
    const assigned = yield* domains.assign(domainOf, 1000)
    const due = yield* domains.due(atOnce * 4, leaseMillis)
    yield* Effect.forEach(due, ask, { concurrency: atOnce, discard: true })
    if (assigned > 0 || due.length > 0) yield* decide
  })

  yield* every(pollInterval, "Watching domains", round)
  // Time alone moves a domain over a threshold.
  yield* every("10 minutes", "Deciding about domains", decide)
  yield* every("1 hour", "Forgetting domains", domains.prune)
})

const momentOf = ({ domain, expiresAt, id, threshold }: DomainMonitor, at: EpochMillis) => ({
  monitorId: id,
  at,
  conditions: domainConditions({ domain, expiresAt }, threshold ?? defaultDomainThreshold, at),
  evidence: { domain: { name: domain, expiresAt } }
})

export const layer: Layer.Layer<never, never, Alerts | Domains | Rdap> = Layer.effectDiscard(watch)
