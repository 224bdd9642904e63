/**
 * The work on custom domains. A domain that is due is leased to one engine at a time; the lease of an engine that died goes to
 * the next one. The state that a page shows of its domain is changed here only, each change with its public event.
 */
import type { ProjectId, StatusPageId, OrganizationId } from "@kanmon/domain/Ids"
import { pageEvent } from "@kanmon/domain/PageEvents"
import { dayMillis, type EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { PageDomains } from "./PageDomains.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { CertificateKeys } from "./CertificateKeys.ts"
import { CustomDomainRepository, type DomainProgress, type DomainState } from "./CustomDomainRepository.ts"

/** A domain that this engine alone works on until the lease ends. */
export interface LeasedDomain extends DomainProgress, DomainState {
  readonly name: string
  /** The page that has the domain, its project, and that project's account. */
  readonly pageId: StatusPageId
  readonly projectId: ProjectId
  readonly organizationId: OrganizationId
  /** The validity of the stored certificate; null when there is none that can be decrypted. */
  readonly certificate: { readonly notBefore: EpochMillis; readonly notAfter: EpochMillis } | null
}

/** A lease in brief: the domain, and the page that it was leased for. Another page may have the domain by now. */
type Lease = Pick<LeasedDomain, "name" | "pageId">

/** The result of the work on a domain. */
export interface DomainOutcome extends DomainProgress, DomainState {
  readonly nextLookAt: EpochMillis
}

export class CustomDomains extends Context.Service<CustomDomains>()("@kanmon/monitoring/custom-domains/CustomDomains", {
  make: Effect.gen(function* () {
    const repository = yield* CustomDomainRepository
    const pages = yield* PageDomains
    const keys = yield* CertificateKeys
    const outbox = yield* Outbox
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    /**
     * Leases the domain that has been due longest, active ones first, so that waiting domains never delay a renewal. A
     * domain with a page that changed since the last check is due at once. Returns nothing to an engine that has not
     * joined the cluster.
     */
    const lease = Effect.fn("CustomDomains.lease")(function* (engine: string, millis: number) {
      const now = yield* Clock.currentTimeMillis
      yield* repository.insertMissing(now)
      const leased = yield* repository.lease(engine, now, now + millis)
      if (leased === undefined) return undefined
      const { keyEncrypted, notAfter, notBefore, ...domain } = leased
      const usable = keyEncrypted !== null && keys.decrypt(keyEncrypted, `certificate:${domain.name}`) !== undefined
      const certificate = usable && notBefore !== null && notAfter !== null ? { notBefore, notAfter } : null
      return { ...domain, certificate }
    })

    /** Whether `lease` would find a domain. */
    const isAnyDue = (engine: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => repository.isAnyDue(engine, now))

    const saveState = Effect.fnUntraced(function* (lease: Lease, state: DomainState) {
      const at = yield* Clock.currentTimeMillis
      const page = yield* pages.setState(lease, state)
      if (page === undefined) return
      yield* outbox.append([pageEvent({ ...page, customDomain: lease.name }, "updated", at, yield* random.ulid)])
    })

    /**
     * Records that an order begins: the state of the page meanwhile, and the order as a failed one, which the outcome takes
     * back. Otherwise a server that is killed and restarted repeatedly would order each time.
     */
    const begin = Effect.fn("CustomDomains.begin")(function* (
      domain: Lease & Pick<LeasedDomain, "organizationId">,
      engine: string,
      { registrable, state }: { readonly state: DomainState; readonly registrable: string }
    ) {
      const { name, organizationId } = domain
      const at = yield* Clock.currentTimeMillis
      yield* repository.addRefusal(name, engine, at)
      yield* repository.insertOrder({ domain: name, registrable, organizationId, at })
      yield* saveState(domain, state)
    }, transaction.run)

    /** Saves the outcome and ends the lease. Nothing is saved if the lease has gone to another engine. */
    const conclude = Effect.fn("CustomDomains.conclude")(function* (
      lease: Lease,
      engine: string,
      outcome: DomainOutcome
    ) {
      if (yield* repository.saveOutcome(lease.name, engine, outcome)) yield* saveState(lease, outcome)
    }, transaction.run)

    /** Makes the domains that pass the test due now, and returns them. */
    const expedite = Effect.fn("CustomDomains.expedite")(function* (test: (name: string) => boolean) {
      const names = (yield* repository.names).filter((name) => test(name))
      yield* repository.setDue(names, yield* Clock.currentTimeMillis)
      return names
    })

    /** Deletes domains without a page and with an expired certificate, and orders older than a day. */
    const prune = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* repository.deleteOrders(now - dayMillis)
      yield* repository.deleteUnused(now)
    }).pipe(Effect.withSpan("CustomDomains.prune"))

    return {
      isAnyDue,
      lease,
      begin,
      /** How many orders began since, in all and of this account or registered domain. */
      ordersSince: repository.countOrders,
      conclude,
      /** Ends the lease without an outcome: the work was interrupted. */
      release: repository.release,
      /** Ends the leases of an earlier run of this engine. */
      reclaim: repository.releaseAll,
      expedite,
      prune
    }
  })
}) {
  static readonly layer = Layer.effect(CustomDomains, CustomDomains.make).pipe(
    Layer.provide([CustomDomainRepository.layer, CertificateKeys.layer])
  )
}
