/**
 * Follows the registrations of the domains that monitors use: asks each registry once a day, however many monitors share the
 * domain, and decides about alerts as the expiry comes closer.
 */
import { every } from "@kanmon/core/Recurring"
import { defaultDomainThreshold, domainConditions } from "@kanmon/domain/Alerting"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, type Duration, Effect, Layer, Random } from "effect"
import { Alerts } from "../alerts/index.ts"
import { DueWork } from "@kanmon/platform/DueWork"
import { type DomainLookup, type ExpiringMonitor, isDue } from "./DomainRegistrationRepository.ts"
import { DomainRegistrations } from "./DomainRegistrations.ts"
import { Rdap, type RdapError, registrableDomain, type Registration } from "./Rdap.ts"

/** Concurrent lookups; `Rdap` makes one request at a time to each registry. */
const concurrency = 16
/** How long an engine may take for a domain that it has leased. */
const leaseMillis = 15 * 60_000
const hourMillis = 3_600_000
/** New monitors and due domains are gathered for this long: alerts are decided about after each round. */
const pause: Duration.Input = "5 seconds"

const domainOf = (address: string): string | undefined =>
  address.length <= 2048 && URL.canParse(address) ? registrableDomain(new URL(address).hostname) : undefined

/**
 * The result of a registry's response, and the time of the next request. `random` in `[0, 1)` spreads the requests over
 * time.
 */
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

/** Decides about the alerts of monitors with a domain that expires soon or has an open alert. */
export const decide: Effect.Effect<void, never, Alerts | DomainRegistrations> = Effect.gen(function* () {
  const alerts = yield* Alerts
  const registrations = yield* DomainRegistrations
  const at = yield* Clock.currentTimeMillis
  yield* registrations.decide(defaultDomainThreshold, (monitors, context) =>
    alerts.decide(
      monitors.map((monitor) => momentOf(monitor, at)),
      context
    )
  )
})

const work = Effect.gen(function* () {
  const registrations = yield* DomainRegistrations
  const rdap = yield* Rdap

  const look = Effect.fnUntraced(function* (name: string) {
    const answer = yield* rdap.lookup(name).pipe(Effect.catch((error) => Effect.succeed(error)))
    const lookup = learned(answer, yield* Clock.currentTimeMillis, yield* Random.next)
    if (lookup.problem !== null)
      yield* Effect.logDebug("A domain's registration is not known").pipe(
        Effect.annotateLogs({ domain: name, problem: lookup.problem })
      )
    yield* registrations.save(name, lookup)
  })

  const round = Effect.gen(function* () {
    const assigned = yield* registrations.assign(domainOf, 1000)
    const due = yield* registrations.lease(concurrency * 4, leaseMillis)
    yield* Effect.forEach(due, look, { concurrency, discard: true })
    if (assigned > 0 || due.length > 0) yield* decide
  })

  const due = yield* DueWork
  yield* due.watch(isDue, "Checking domain registrations", Effect.andThen(round, Effect.sleep(pause)))
  // A domain crosses a threshold by time alone.
  yield* every("10 minutes", "Deciding about domain alerts", decide)
  yield* every("1 hour", "Removing unused domains", registrations.prune)
})

const momentOf = ({ domain, expiresAt, id, threshold }: ExpiringMonitor, at: EpochMillis) => ({
  monitorId: id,
  at,
  conditions: domainConditions({ domain, expiresAt }, threshold ?? defaultDomainThreshold, at),
  evidence: { domain: { name: domain, expiresAt } }
})

export const layer: Layer.Layer<never, never, Alerts | DomainRegistrations | DueWork | Rdap> = Layer.effectDiscard(work)
