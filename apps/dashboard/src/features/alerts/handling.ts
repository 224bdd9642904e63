/** Acts on an alert: the expected result, and the act that is under way. */
import type { Alert } from "@kanmon/domain/Alert"
import type { QueryClient } from "@tanstack/react-query"

type AlertRecord = typeof Alert.Encoded

export type Act =
  | { readonly type: "acknowledge"; readonly note?: string }
  | { readonly type: "unacknowledge" }
  | { readonly type: "snooze"; readonly until: string }
  /** Ends an alert of an integration. */
  | { readonly type: "resolve" }
  /** Runs the step that comes next, as it was seen. */
  | { readonly type: "escalate"; readonly step: number }

export interface Handling {
  readonly alert: AlertRecord
  readonly act: Act
  /** The name of the visitor. */
  readonly name: string
}

export const handlingKey = (id: string) => ["handle-alert", id] as const

const untouched = {
  state: "open",
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null
} as const

/** The alert as the server will answer, unless it refuses. */
export const expected = (alert: AlertRecord, { act, name }: Pick<Handling, "act" | "name">): AlertRecord => {
  const by = { kind: "user", name } as const
  const now = new Date().toISOString()
  if (act.type === "unacknowledge" || act.type === "escalate") return { ...alert, ...untouched }
  if (act.type === "resolve") return { ...alert, state: "resolved", resolvedAt: now, resolvedBy: by }
  return act.type === "acknowledge"
    ? {
        ...alert,
        ...untouched,
        state: "acknowledged",
        acknowledgedAt: now,
        acknowledgedBy: by,
        note: act.note ?? null
      }
    : { ...alert, state: "snoozed", snoozedUntil: act.until, snoozedBy: by }
}

/** With the act that is on its way: an answer that left the server before must not take it back. */
export const asExpected = (client: QueryClient, alert: AlertRecord): AlertRecord => {
  const sent = client.getMutationCache().find<unknown, Error, Handling>({
    mutationKey: handlingKey(alert.id),
    status: "pending",
    // An act that waits for its turn is paused.
    predicate: ({ state }) => !state.isPaused
  })?.state.variables
  return sent === undefined ? alert : expected(alert, sent)
}
