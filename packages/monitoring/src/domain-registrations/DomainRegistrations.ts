/** The registrations of monitored domains: the published facts, and the time of the next request. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer } from "effect"
import { type AlertChanges, type AlertContext, OpenAlerts } from "../alerts/index.ts"
import { MonitorRecordRepository } from "../registry/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import {
  type DomainLookup,
  DomainRegistrationRepository,
  type ExpiringMonitor
} from "./DomainRegistrationRepository.ts"

export class DomainRegistrations extends Context.Service<DomainRegistrations>()(
  "@kanmon/monitoring/domain-registrations/DomainRegistrations",
  {
    make: Effect.gen(function* () {
      const repository = yield* DomainRegistrationRepository
      const records = yield* MonitorRecordRepository
      const openAlerts = yield* OpenAlerts
      const transaction = yield* Transaction

      /** Stores the domains of at most `limit` monitors that were created or changed; returns their number. */
      const assign = Effect.fn("DomainRegistrations.assign")(function* (
        domainOf: (url: string) => string | undefined,
        limit: number
      ) {
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
      })

      /** Leases domains that are due, so that no other engine asks about them at the same time. */
      const lease = Effect.fn("DomainRegistrations.lease")(function* (limit: number, leaseMillis: number) {
        const now = yield* Clock.currentTimeMillis
        return yield* repository.lease(limit, now, now + leaseMillis)
      })

      /** Stores the result of a lookup. */
      const save = Effect.fn("DomainRegistrations.save")(function* (name: string, lookup: DomainLookup) {
        yield* repository.save(name, lookup, yield* Clock.currentTimeMillis)
      })

      /**
       * Decides about the alerts of monitors with a domain that expires within their threshold or has an open alert, in
       * one transaction per page. `usual` is the threshold in days of monitors that configure none.
       */
      const decide = Effect.fn("DomainRegistrations.decide")(function* (
        usual: number,
        decision: (monitors: ReadonlyArray<ExpiringMonitor>, context: AlertContext) => Effect.Effect<AlertChanges>
      ) {
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
      })

      const ofMonitors = Effect.fn("DomainRegistrations.ofMonitors")((ids: ReadonlyArray<MonitorId>) =>
        Effect.map(
          repository.ofMonitors(ids),
          (rows) => new Map(rows.map(({ id, ...registration }) => [id, registration]))
        )
      )

      return {
        assign,
        lease,
        save,
        /** Deletes the domains that no monitor uses. */
        prune: repository.prune,
        decide,
        ofMonitors
      }
    })
  }
) {
  static readonly layer = Layer.effect(DomainRegistrations, DomainRegistrations.make).pipe(
    Layer.provide([DomainRegistrationRepository.layer, MonitorRecordRepository.layer])
  )
}

const pageSize = 200
