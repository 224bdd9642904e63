/** Publishes the specs of monitors that the outbox names. Implemented by `SpecUpdates` of monitoring, called by the relay. */
import type { BusUnavailable } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

export class SpecPublisher extends Context.Service<
  SpecPublisher,
  (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void, BusUnavailable>
>()("@kanmon/platform/outbox/SpecPublisher") {}
