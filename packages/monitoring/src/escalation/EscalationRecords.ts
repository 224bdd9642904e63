/** Rows of escalations, their pages, and the time lines of alerts. */
import type { Notice } from "@kanmon/core/Notice"
import type { AlertActor } from "@kanmon/domain/Alert"
import { PageCause, PageOutcome, type TimelineType } from "@kanmon/domain/AlertTimeline"
import type { Escalation } from "@kanmon/domain/Escalation"
import type { Page } from "@kanmon/domain/EscalationLists"
import type { PolicyPlan } from "@kanmon/domain/EscalationPolicy"
import {
  AlertRecordId,
  ChannelId,
  EscalationPolicyId,
  IntegrationId,
  MonitorId,
  OrganizationId,
  ProjectId,
  RuleId,
  UserId
} from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Trigger } from "@kanmon/domain/AlertRule"
import { PageReason } from "@kanmon/domain/PageReason"
import { Severity } from "@kanmon/domain/Severity"
import * as Persisted from "@kanmon/platform/database/Persisted"
import { Schema } from "effect"

const Instant = Schema.Number

const CauseJson = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Step"), round: Schema.Int, step: Schema.Int }),
  Schema.Struct({ _tag: Schema.Literal("Exhausted"), round: Schema.Int }),
  Schema.Struct({ _tag: Schema.Literal("Asked"), number: Schema.Int })
])

const PersonJson = Schema.Struct({
  userId: UserId,
  entries: Schema.Array(Schema.Struct({ afterMinutes: Schema.Number, methodId: Schema.String }))
})

const ListJson = Schema.Struct({
  userId: UserId,
  cause: CauseJson,
  reason: Schema.optional(PageReason),
  isAsked: Schema.Boolean,
  steps: Schema.Array(Schema.Int),
  entries: Schema.Array(Schema.Struct({ dueAt: Instant, methodId: Schema.String })),
  pending: Schema.Array(Schema.String)
})

/** The reason of a page as JSON. */
export const storedReason = Persisted.make(PageReason)

/** The state of an escalation as JSON. */
export const storedState = Persisted.make(
  Schema.Struct({
    status: Schema.Literals(["open", "acknowledged", "exhausted", "ended"]),
    isHeld: Schema.Boolean,
    frozenAt: Schema.NullOr(Instant),
    round: Schema.Int,
    firstRound: Schema.Int,
    next: Schema.Int,
    dueAt: Instant,
    last: Schema.NullOr(Schema.Struct({ step: Schema.Int, reached: Schema.Boolean, pending: Schema.Int })),
    roundReached: Schema.Boolean,
    everReached: Schema.Boolean,
    lists: Schema.Array(ListJson),
    acknowledgement: Schema.NullOr(Schema.Struct({ by: Schema.NullOr(PersonJson), endsAt: Schema.NullOr(Instant) })),
    asked: Schema.Int
  })
)

export const EscalationRow = Schema.Struct({
  alertId: Schema.String,
  organizationId: OrganizationId,
  policyId: Schema.NullOr(EscalationPolicyId),
  policyName: Schema.NullOr(Schema.String),
  plan: Schema.Unknown,
  state: Schema.Unknown
})

/** The escalation of an alert. */
export interface StoredEscalation {
  readonly alertId: string
  readonly organizationId: OrganizationId
  /** Null: the rule has no policy, and people were asked for one by one. */
  readonly policyId: EscalationPolicyId | null
  /** The name of the policy as it is now; null without one, and when it was deleted. */
  readonly policyName: string | null
  /** The policy as it was when the alert opened. */
  readonly plan: PolicyPlan
  readonly state: Escalation
}

/** The number of a step over all rounds, by which people name the one that they saw as the next. */
export const stepNumber = ({ plan, state }: Pick<StoredEscalation, "plan" | "state">): number =>
  state.round * (plan.steps.length + 1) + state.next

/** The parts of an alert that its escalation depends on. */
export interface EscalatingAlert {
  readonly projectId: ProjectId
  readonly trigger: Trigger
  readonly severity: Severity
  readonly notice: Notice
  readonly isResolved: boolean
  readonly snoozedUntil: EpochMillis | null
  /** Whether a silence or maintenance holds it. */
  readonly isCovered: boolean
}

/** An entry of the time line of an alert. */
export interface TimelineEntry {
  readonly alertId: string
  readonly at: EpochMillis
  readonly type: TimelineType
  readonly round?: number | undefined
  readonly step?: number | undefined
  readonly actor?: AlertActor | undefined
  readonly note?: string | null
  readonly until?: EpochMillis | undefined
  /** The name of the requested person. */
  readonly target?: string | undefined
}

const PageFields = {
  id: Schema.String,
  cause: PageCause,
  round: Schema.Int,
  step: Schema.NullOr(Schema.Int),
  userId: Schema.NullOr(UserId),
  methodId: Schema.NullOr(Schema.String),
  channelId: Schema.NullOr(ChannelId)
}

/** The alert that an event is about. */
export const EventSubject = Schema.Struct({
  alertId: AlertRecordId,
  projectId: ProjectId,
  ruleId: RuleId,
  monitorId: Schema.NullOr(MonitorId),
  source: Schema.NullOr(Schema.Struct({ integrationId: IntegrationId, key: Schema.String })),
  severity: Severity
})
export type EventSubject = typeof EventSubject.Type

/** A page as events tell of it. */
export const EventPage = Schema.Struct({
  ...PageFields,
  alertId: Schema.String,
  outcome: PageOutcome,
  detail: Schema.NullOr(Schema.String)
})
export type EventPage = typeof EventPage.Type

/** The outcome of a page as a row: one that quiet hours hold is pending for its readers, and reached for its escalation. */
const StoredOutcome = Schema.Literals([...PageOutcome.literals, "held"])

export const SettledRow = Schema.Struct({ ...PageFields, outcome: StoredOutcome })

type Columns = Pick<typeof SettledRow.Type, "cause" | "round" | "step" | "userId" | "methodId" | "channelId">

/** The round of a page; null for a requested person, with a sequence number instead. */
export const roundOf = ({ cause, round }: Pick<Columns, "cause" | "round">): number | null =>
  cause === "asked" ? null : round

/** The columns of a page. The number of somebody who was asked for is in the place of the round. */
export const columnsOf = (page: Page): Columns => {
  const { cause } = page
  const why =
    cause._tag === "Step"
      ? ({ cause: "step", round: cause.round, step: cause.step } as const)
      : cause._tag === "Exhausted"
        ? ({ cause: "exhausted", round: cause.round, step: null } as const)
        : ({ cause: "asked", round: cause.number, step: null } as const)
  return page._tag === "Person"
    ? { ...why, userId: page.userId, methodId: page.methodId, channelId: null }
    : { ...why, userId: null, methodId: null, channelId: page.channelId }
}

export const pageOf = ({ cause, channelId, methodId, round, step, userId }: Columns): Page => {
  const why: Page["cause"] =
    cause === "step"
      ? { _tag: "Step", round, step: step! }
      : cause === "exhausted"
        ? { _tag: "Exhausted", round }
        : { _tag: "Asked", number: round }
  return userId === null
    ? { _tag: "Channel", cause: why, channelId: channelId! }
    : { _tag: "Person", cause: why, userId, methodId: methodId! }
}
