/** An engine that delivers, in this process: channels and contact methods on this machine get what is due. */
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import type { Plugin } from "@kanmon/core/Plugin"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { PluginSource } from "@kanmon/core/PluginSource"
import { RecipientPolicy, type RecipientRules } from "@kanmon/core/Recipient"
import { ContactMethodLeaseRepository } from "@kanmon/monitoring/contact-methods"
import { type MessageSender, MessageSenders } from "@kanmon/monitoring/delivery"
import { ChannelLeaseRepository } from "@kanmon/monitoring/testing/channels/ChannelLeaseRepository.ts"
import { Deliveries } from "@kanmon/monitoring/testing/delivery/Deliveries.ts"
import { DeliveryRepository } from "@kanmon/monitoring/testing/delivery/DeliveryRepository.ts"
import * as DeliveryWorker from "@kanmon/monitoring/testing/delivery/DeliveryWorker.ts"
import { TargetLeases } from "@kanmon/monitoring/testing/delivery/TargetLeases.ts"
import { Secrets } from "@kanmon/platform/database/Secrets"
import { Effect, Layer, Redacted } from "effect"
import { bundled } from "../../apps/server/src/plugins.gen.ts"
import * as Engines from "./Engines.ts"
import * as SetClock from "./SetClock.ts"

export interface Options {
  readonly engine?: string
  /** Where links in messages lead. */
  readonly baseUrl?: string
  /** What the operator set for channels, by type. */
  readonly operator?: ReadonlyMap<string, object>
  /** The product's unless it says otherwise. */
  readonly recipients?: RecipientRules
  /** A type of channels that rings here, although it does not say so. */
  readonly rings?: string
  /** What the deliverer takes for the time; its pauses are real. */
  readonly now?: () => number
}

/** The plugin, with channels of this type that ring. */
const ringing =
  (type: string) =>
  (source: PluginSource): PluginSource => ({
    ...source,
    load: async () => {
      const { default: plugin } = (await source.load()) as { readonly default: Plugin }
      const channels = plugin.channels?.map((each) => (each.type === type ? { ...each, rings: true } : each))
      return { default: { ...plugin, ...(channels === undefined ? {} : { channels }) } }
    }
  })

/** The deliverer of an engine that is alive. */
export const layer = ({
  baseUrl = "https://kanmon.example",
  engine = "test",
  now,
  operator = new Map(),
  recipients,
  rings
}: Options = {}) =>
  Layer.unwrap(
    Effect.as(
      Engines.join(engine),
      DeliveryWorker.layer({ engine, baseUrl, groupAlerts: 10 }).pipe(
        Layer.provide(now === undefined ? Layer.empty : SetClock.layer(now)),
        Layer.provide(ChannelRunner.layer({ dialer: { allowPrivate: true }, operator })),
        Layer.provide(NodeResolver.layer({ allowPrivate: true })),
        Layer.provide(Catalogue.layer(rings === undefined ? bundled : bundled.map(ringing(rings)))),
        Layer.provide(recipients === undefined ? Layer.empty : Layer.succeed(RecipientPolicy, recipients))
      )
    )
  )

/** The product's senders and one of pages, and deliveries that know it. */
export const withPages = <R>(pages: Effect.Effect<MessageSender, never, R>) =>
  Layer.fresh(Deliveries.layer).pipe(
    Layer.provide([TargetLeases.layer, DeliveryRepository.layer]),
    Layer.provide([ChannelLeaseRepository.layer, ContactMethodLeaseRepository.layer]),
    Layer.provide(Secrets.layer(Redacted.make("a secret for tests"))),
    Layer.provideMerge(
      Layer.effect(
        MessageSenders,
        Effect.gen(function* () {
          return new Map([...(yield* MessageSenders), ["page", yield* pages] as const])
        })
      )
    )
  )
