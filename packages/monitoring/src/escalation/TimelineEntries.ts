/** Entries of the time lines of alerts. Pure. */
import type { Act } from "@kanmon/domain/AlertHandling"
import type { Told } from "@kanmon/domain/Escalation"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Responder } from "../alerts/index.ts"
import type { TimelineEntry } from "./EscalationRepository.ts"

/** The entry of something that an escalation did. */
export const toldEntry = (alertId: string, told: Told, at: EpochMillis): TimelineEntry => {
  switch (told._tag) {
    case "StepRan":
      return { alertId, at, type: "step_ran", round: told.round, step: told.step }
    case "NobodyReached":
      return { alertId, at, type: "nobody_reached", round: told.round, step: told.step }
    case "AcknowledgementEnded":
      return { alertId, at, type: "acknowledgement_ended" }
    case "Exhausted":
      return { alertId, at, type: "exhausted" }
  }
}

const acts = { Acknowledge: "acknowledged", Unacknowledge: "unacknowledged", Snooze: "snoozed" } as const

/** The entry of something that somebody did. */
export const actEntry = (alertId: string, act: Act, { actor }: Responder, at: EpochMillis): TimelineEntry => ({
  alertId,
  at,
  type: acts[act._tag],
  actor,
  note: act._tag === "Acknowledge" ? act.note : null,
  until: act._tag === "Snooze" ? act.until : undefined
})
