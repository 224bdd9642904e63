/** Messages that must reach the bus because a transaction committed. Taken in order, gone when confirmed. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { Context, type Effect } from "effect"

/** A public event, complete with its CloudEvents headers. */
export interface OutboxEvent {
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export type OutboxMessage =
  | { readonly _tag: "Event"; readonly sequence: number; readonly event: OutboxEvent }
  /** The monitor's spec changed, or the monitor is gone: bring the probes' buckets to what the store says now. */
  | { readonly _tag: "Spec"; readonly sequence: number; readonly monitorId: MonitorId }

export class Outbox extends Context.Service<
  Outbox,
  {
    /** The oldest messages, in order. */
    readonly peek: (limit: number) => Effect.Effect<ReadonlyArray<OutboxMessage>>
    /** These have reached the bus. */
    readonly confirm: (sequences: ReadonlyArray<number>) => Effect.Effect<void>
    /** Succeeds when a transaction of this process appended something since the last call. A hint: peers' writes need polling. */
    readonly appended: Effect.Effect<void>
    /** Age of the oldest message in milliseconds, 0 when empty. */
    readonly age: Effect.Effect<number>
  }
>()("@kanmon/store/Outbox") {}
