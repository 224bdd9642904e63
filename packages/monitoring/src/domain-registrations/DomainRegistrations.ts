/** The registrations of monitored domains: the published facts, and the time of the next request. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer } from "effect"
import { type AlertChanges, type AlertContext, OpenAlerts } from "../alerts/index.ts"
import { MonitorRecordRepository } from "../registry/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import {
  type DomainLookup,
  type DomainRegistration,
  DomainRegistrationRepository,
  type ExpiringMonitor
} from "./DomainRegistrationRepository.ts"

export class DomainRegistrations extends Context.Service<
  DomainRegistrations,
  {
    /** Stores the domains of at most `limit` monitors that were created or changed; returns their number. */
    readonly assign: (domainOf: (url: string) => string | undefined, limit: number) => Effect.Effect<number>
    /** Leases domains that are due, so that no other engine asks about them at the same time. */
    readonly lease: (limit: number, leaseMillis: number) => Effect.Effect<ReadonlyArray<string>>
    /** Stores the result of a lookup. */
    readonly save: (name: string, lookup: DomainLookup) => Effect.Effect<void>
    /** Deletes the domains that no monitor uses. */
    readonly prune: Effect.Effect<void>
    /**
     * Decides about the alerts of monitors with a domain that expires within their threshold or has an open alert, in
     * one transaction per page. `usual` is the threshold in days of monitors that configure none.
     */
    readonly decide: (
      usual: number,
      decision: (monitors: ReadonlyArray<ExpiringMonitor>, context: AlertContext) => Effect.Effect<AlertChanges>
    ) => Effect.Effect<void>
    readonly ofMonitors: (ids: ReadonlyArray<MonitorId>) => Effect.Effect<ReadonlyMap<MonitorId, DomainRegistration>>
  }
>()("@kanmon/monitoring/domain-registrations/DomainRegistrations") {
  static readonly layer = Layer.effect(
    DomainRegistrations,
    Effect.gen(function* () {
      const repository = yield* DomainRegistrationRepository
      const records = yield* MonitorRecordRepository
      const openAlerts = yield* OpenAlerts
      const transaction = yield* Transaction

      const assign: DomainRegistrations["Service"]["assign"] = Effect.fn("DomainRegistrations.assign")(
        function* (domainOf, limit) {
          const monitors = yield* repository.unread(limit)
          if (monitors.length === 0) return 0
          const read = monitors.map(({ id, revision, url }) => ({
            id,
            revision,
            domain: url === null ? null : (domainOf(url) ?? null)
          }))
          yield* repository.insertUsed(read, yield* Clock.currentTimeMillis)
          yield* records.setDomains(read)
          return monitors.length
        }
      )

      const lease: DomainRegistrations["Service"]["lease"] = Effect.fn("DomainRegistrations.lease")(
        function* (limit, leaseMillis) {
          const now = yield* Clock.currentTimeMillis
          return yield* repository.lease(limit, now, now + leaseMillis)
        }
      )

      const save: DomainRegistrations["Service"]["save"] = Effect.fn("DomainRegistrations.save")(
        function* (name, lookup) {
          yield* repository.save(name, lookup, yield* Clock.currentTimeMillis)
        }
      )

      const decide: DomainRegistrations["Service"]["decide"] = Effect.fn("DomainRegistrations.decide")(
        function* (usual, decision) {
          const now = yield* Clock.currentTimeMillis
          let after: string | undefined = ""
          while (after !== undefined) {
            const page: ReadonlyArray<ExpiringMonitor> = yield* transaction.run(
              Effect.gen(function* () {
                const monitors = yield* repository.lockExpiring(usual, after ?? "", pageSize, now)
                if (monitors.length === 0) return monitors
                const context = yield* openAlerts.context(monitors.map(({ id }) => id))
                yield* openAlerts.save(yield* decision(monitors, context), now)
                return monitors
              })
            )
            after = page.length < pageSize ? undefined : page.at(-1)?.id
          }
        }
      )

      const ofMonitors: DomainRegistrations["Service"]["ofMonitors"] = Effect.fn("DomainRegistrations.ofMonitors")(
        (ids) =>
          Effect.map(
            repository.ofMonitors(ids),
            (rows) => new Map(rows.map(({ id, ...registration }) => [id, registration]))
          )
      )

      return DomainRegistrations.of({ assign, lease, save, prune: repository.prune, decide, ofMonitors })
    })
  ).pipe(Layer.provide([DomainRegistrationRepository.layer, MonitorRecordRepository.layer]))
}

const pageSize = 200
