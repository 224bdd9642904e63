/** Leases of channels and of contact methods, with one interface. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { ChannelLeaseRepository, type LastDelivery, type LeasedChannel } from "../channels/index.ts"
import { type ContactMethod, ContactMethodLeaseRepository, type LeasedContactMethod } from "../contact-methods/index.ts"
import type { Target } from "./Message.ts"

/** A channel or a contact method that only this engine sends to until the lease ends. */
export type LeasedRow =
  (LeasedChannel & { readonly kind: "channel" }) | (LeasedContactMethod & { readonly kind: "contactMethod" })

/** The same, with what it takes to send to it. */
export type LeasedTarget = Exclude<LeasedRow, { readonly kind: "contactMethod" }> | LeasedPerson
export type LeasedPerson = LeasedContactMethod & ContactMethod & { readonly kind: "contactMethod" }

export class TargetLeases extends Context.Service<TargetLeases>()("@kanmon/monitoring/delivery/TargetLeases", {
  make: Effect.gen(function* () {
    const channels = yield* ChannelLeaseRepository
    const methods = yield* ContactMethodLeaseRepository

    /** Leases at most `limit` of what has something due: people first, who wait for a page. */
    const lease = Effect.fnUntraced(function* (engine: string, at: EpochMillis, millis: number, limit: number) {
      const people = yield* methods.lease(engine, at, millis, limit)
      const others = people.length < limit ? yield* channels.lease(engine, at, millis, limit - people.length) : []
      return [
        ...people.map((method) => ({ ...method, kind: "contactMethod" }) as const),
        ...others.map((channel) => ({ ...channel, kind: "channel" }) as const)
      ]
    })

    return {
      lease,
      /** Returns everything that an earlier run of this engine had leased. */
      reclaim: (engine: string) => Effect.andThen(channels.reclaim(engine), methods.reclaim(engine)),
      /** Ends this lease and no later one. */
      release: ({ id, kind, leasedUntil }: Pick<LeasedRow, "id" | "kind" | "leasedUntil">, engine: string) =>
        (kind === "channel" ? channels : methods).release({ id, leasedUntil }, engine),
      /** An attempt got through, or the last one is over: failures are. `disabledReason` switches the target off, unless null. */
      conclude: (to: Target, last: LastDelivery, reason: string | null) =>
        "channelId" in to
          ? channels.conclude(to.channelId, last, reason)
          : methods.conclude(to.contactMethodId, last, reason),
      /** A failed attempt, after which the target rests until `restUntil`. */
      countFailure: (to: Target, last: LastDelivery, until: EpochMillis | null) =>
        "channelId" in to
          ? channels.countFailure(to.channelId, last, until)
          : methods.countFailure(to.contactMethodId, last, until),
      rest: (to: Target, last: LastDelivery, until: EpochMillis) =>
        "channelId" in to ? channels.rest(to.channelId, last, until) : methods.rest(to.contactMethodId, last, until)
    }
  })
}) {
  static readonly layer = Layer.effect(TargetLeases, TargetLeases.make)
}
