/** Open alerts, and the changes that decisions make to them. */
import type { Notice } from "@kanmon/core/Notice"
import type { AlertSource } from "@kanmon/domain/Alert"
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { OpenAlert } from "@kanmon/domain/Alerting"
import type { Hold, Parent } from "@kanmon/domain/DependencyHold"
import type { ChannelId, DrillId, EscalationPolicyId, MonitorId, ProjectId, RuleId } from "@kanmon/domain/Ids"
import type { Severity } from "@kanmon/domain/Severity"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Schema } from "effect"
import type { PublicEvent } from "@kanmon/domain/PublicEvent"
import type { Message } from "../delivery/index.ts"

/** A monitor as its notices name it. */
export interface AlertedMonitor {
  readonly id: MonitorId
  readonly projectId: ProjectId
  readonly projectName: string
  readonly name: string
  readonly type: string
  readonly config: Schema.JsonObject
  readonly tags: ReadonlyArray<string>
  /** The silence over it that ends last. */
  readonly silence: SilenceSpan | null
  /** The monitors that it depends on. */
  readonly parents: ReadonlyArray<Parent>
  readonly hold: Hold | undefined
}

/** Until when and why nothing is sent. */
export interface SilenceSpan {
  readonly until: EpochMillis
  readonly reason: string
}

/** An alert on one channel; without a channel when its rule notifies none. */
export interface AlertEntry {
  readonly id: string
  readonly channelId: ChannelId | null
  /** Whether its opening was queued; a silence keeps it back. */
  readonly isTold: boolean
}

/** An open alert with its entries and the notice that opened it. */
export interface StoredAlert extends OpenAlert {
  /** Null for an alert of an integration. */
  readonly monitorId: MonitorId | null
  /** The integration behind it; null for an alert of a monitor. */
  readonly source: AlertSource | null
  /** When it resolves unless its sender sends it again; null: never by itself. */
  readonly resolveAt: EpochMillis | null
  /** That of its rule when it opened. */
  readonly severity: Severity
  readonly notice: Notice
  readonly entries: ReadonlyArray<AlertEntry>
  /** Whether somebody acknowledged it. */
  readonly isAcknowledged: boolean
  readonly snoozedUntil: EpochMillis | null
}

/** Everything that decisions about the alerts of some monitors depend on. */
export interface AlertContext {
  readonly monitors: ReadonlyMap<MonitorId, AlertedMonitor>
  readonly rules: (projectId: ProjectId) => ReadonlyArray<AlertRule>
  readonly channels: (projectId: ProjectId) => ReadonlyArray<ChannelId>
  /** The type of a channel of these projects. */
  readonly channelType: (id: ChannelId) => string | undefined
  readonly open: (monitorId: MonitorId) => ReadonlyArray<StoredAlert>
  readonly inMaintenance: (monitorId: MonitorId, at: EpochMillis) => boolean
}

export interface NewAlert extends StoredAlert {
  readonly projectId: ProjectId
  readonly at: EpochMillis
  /** The silence that keeps back its notifications. */
  readonly silence: SilenceSpan | null
  /** The escalation policy of its rule. */
  readonly policyId: EscalationPolicyId | null
}

/** An alert to insert: also one of a drill, which is without a rule where it tries a policy. */
export type InsertedAlert = Omit<NewAlert, "ruleId"> & {
  readonly ruleId: RuleId | null
  readonly drillId?: DrillId
}

export interface AlertChanges {
  readonly opened: ReadonlyArray<InsertedAlert>
  /** New entries of alerts that were already open. */
  readonly extended: ReadonlyArray<Pick<NewAlert, "id" | "entries" | "silence">>
  readonly repeated: ReadonlyArray<{
    readonly alertId: string
    readonly about: string
    readonly step: number
    /** Whether it is about another certificate, so that an acknowledgement no longer holds. */
    readonly isOther: boolean
  }>
  /** `notice` tells of the recovery; absent where nothing is sent about the end. */
  readonly closed: ReadonlyArray<{ readonly alertId: string; readonly at: EpochMillis; readonly notice?: Notice }>
  /** Entries that end without a notification, because of a silence. */
  readonly untold: ReadonlyArray<string>
  /** Changes of held outages; undefined if a hold ended. */
  readonly holds: ReadonlyArray<{ readonly monitorId: MonitorId; readonly hold: Hold | undefined }>
  readonly deliveries: ReadonlyArray<Message>
  readonly events: ReadonlyArray<PublicEvent>
}

/** Changes that are still being collected. */
export type CollectedChanges = { readonly [Part in keyof AlertChanges]: Array<AlertChanges[Part][number]> }

export const noChanges = (): CollectedChanges => ({
  opened: [],
  extended: [],
  repeated: [],
  closed: [],
  untold: [],
  holds: [],
  deliveries: [],
  events: []
})

/** The channels of entries. */
export const channelsOf = (entries: ReadonlyArray<AlertEntry>): ReadonlyArray<ChannelId> =>
  entries.flatMap(({ channelId }) => channelId ?? [])

/** An alert with its entries to insert. An alert without channels is notified by its policy, or not at all. */
export type EnteredAlert = Pick<NewAlert, "id" | "entries" | "silence"> & Partial<Pick<NewAlert, "policyId">>

/** The status of an entry without a channel. */
export const withoutChannelOf = ({ policyId }: EnteredAlert, error: string) =>
  policyId == null ? { status: "failed", error } : { status: "delivered", error: null }
