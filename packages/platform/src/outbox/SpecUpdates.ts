/** Sends changed monitor specs to the probes. Implemented by monitors, called by the relay. */
import type { BusUnavailable } from "@kanmon/core/EventBus"
import type { MonitorId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

export class SpecUpdates extends Context.Service<
  SpecUpdates,
  (ids: ReadonlyArray<MonitorId>) => Effect.Effect<void, BusUnavailable>
>()("@kanmon/platform/outbox/SpecUpdates") {}
