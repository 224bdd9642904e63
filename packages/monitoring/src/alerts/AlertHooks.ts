/** Ports by which escalation follows alerts, in the transactions of their changes. The alerts are locked. */
import type { Notice } from "@kanmon/core/Notice"
import type { AlertActor } from "@kanmon/domain/Alert"
import type { Act } from "@kanmon/domain/AlertHandling"
import type { EscalationPolicyId, ProjectId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, type Effect } from "effect"

/** An alert that opened under a rule with an escalation policy. */
export interface EscalatedAlert {
  readonly id: string
  readonly projectId: ProjectId
  readonly policyId: EscalationPolicyId
  readonly at: EpochMillis
  /** Whether a silence keeps it back. */
  readonly isHeld: boolean
}

/** An alert that is over; `notice` tells of the recovery, and is absent when nothing is sent about it. */
export interface EndedAlert {
  readonly alertId: string
  readonly notice?: Notice
}

/** Somebody who does something with an alert; `userId` is null for keys, and for links that were sent to a channel. */
export interface Responder {
  readonly actor: AlertActor
  readonly userId: UserId | null
}

export class AlertEscalations extends Context.Service<
  AlertEscalations,
  {
    readonly opened: (alerts: ReadonlyArray<EscalatedAlert>) => Effect.Effect<void>
    readonly ended: (alerts: ReadonlyArray<EndedAlert>, at: EpochMillis) => Effect.Effect<void>
    readonly acted: (alertId: string, act: Act, by: Responder, at: EpochMillis) => Effect.Effect<void>
    /** Somebody acknowledges an alert that another person acknowledged before. Returns whether they had been asked for. */
    readonly answered: (alertId: string, act: Act, by: Responder, at: EpochMillis) => Effect.Effect<boolean>
    /** Acknowledgements and snoozes that no longer hold, because the alerts are about something else now. */
    readonly reopened: (alertIds: ReadonlyArray<string>, at: EpochMillis) => Effect.Effect<void>
    /**
     * The policy of a project's organization with an id, or with a key or, without one, with an id in its place. It cannot be
     * deleted until the transaction ends.
     */
    readonly find: (
      projectId: ProjectId,
      by: { readonly id: EscalationPolicyId | null; readonly key: string | null }
    ) => Effect.Effect<EscalationPolicyId | undefined>
    /** Deletes the messages of alerts that are deleted. */
    readonly forget: (alertIds: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("@kanmon/monitoring/alerts/AlertEscalations") {}
