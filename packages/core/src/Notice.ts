/** A notice: the fact that is sent to people. Every channel renders the same notice in its own way. */
import type { Failure, Timing } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"

export type NoticeEvent =
  | "monitor_down"
  | "monitor_up"
  | "monitor_degraded"
  | "monitor_degraded_recovered"
  | "ssl_expiring"
  | "ssl_expired"
  | "ssl_invalid"
  | "domain_expiring"
  | "domain_expired"
  | "test"

export interface Notice {
  /** The same in every retry. */
  readonly id: string
  readonly event: NoticeEvent
  readonly at: EpochMillis
  readonly project: { readonly id: string; readonly name: string }
  readonly rule: { readonly id: string; readonly name: string } | null
  readonly monitor: { readonly id: string; readonly name: string; readonly target: string }
  /** One sentence: what failed, or what is well again. */
  readonly reason: string
  /** The beginning of what the notice tells: of the outage, for a recovery too. */
  readonly startedAt: EpochMillis
  /** How long it lasted; null while it lasts. */
  readonly durationSeconds: number | null
  readonly regions: ReadonlyArray<{
    readonly region: string
    readonly status: RegionStatus
    readonly responseTime: number | null
    readonly failure: Failure | null
  }>
  readonly statusCode: number | null
  readonly timing: Timing
  readonly links: { readonly monitor: string }
}
