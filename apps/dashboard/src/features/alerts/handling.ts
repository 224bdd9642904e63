/** Acknowledging and snoozing: shown at once, and taken back when it is refused. */
import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import { inOrder } from "../../api/inOrder.ts"
import { request } from "../../api/request.ts"
import { type CurrentProject, sessionQuery } from "../../api/session.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { type AlertPage, type AlertRecord, alertQuery, alertsKey, underWay } from "./queries.ts"

export type Act =
  | { readonly type: "acknowledge"; readonly note?: string }
  | { readonly type: "unacknowledge" }
  | { readonly type: "snooze"; readonly until: string }
  /** Runs the step that comes next, as it was seen. */
  | { readonly type: "escalate"; readonly step: number }

const untouched = {
  state: "open",
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: null,
  snoozedUntil: null,
  snoozedBy: null
} as const

/** The alert as the server will answer, unless it refuses. */
const expected = (alert: AlertRecord, act: Act, name: string): AlertRecord => {
  const by = { kind: "user", name } as const
  const now = new Date().toISOString()
  if (act.type === "unacknowledge" || act.type === "escalate") return { ...alert, ...untouched }
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

/** Shows this version of an alert everywhere; it stays in its place until the lists are asked for again. */
const show = (client: QueryClient, project: CurrentProject, alert: AlertRecord) => {
  client.setQueriesData<InfiniteData<AlertPage, string>>({ queryKey: [...alertsKey(project), "list"] }, (known) =>
    known === undefined
      ? undefined
      : {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            alerts: page.alerts.map((each) => (each.id === alert.id ? alert : each))
          }))
        }
  )
  client.setQueryData(alertQuery(project, alert.id).queryKey, alert)
}

/** What can be done with an alert, and why the last act was refused. */
export const useHandling = (alert: AlertRecord) => {
  const { project } = useProjectData()
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const [error, setError] = useState<string | undefined>(undefined)
  const handle = (act: Act): Promise<void> =>
    inOrder([alert.id], async () => {
      setError(undefined)
      const name = session?.user.name ?? ""
      const after = (known: AlertRecord) => expected(known, act, name)
      underWay.set(alert.id, after)
      await client.cancelQueries({ queryKey: alertsKey(project) })
      show(client, project, after(alert))
      let answer = alert
      try {
        const input = { params: { alertId: alert.id }, project: project.headers }
        answer =
          act.type === "unacknowledge"
            ? await request("POST /alerts/:alertId/unacknowledge", input)
            : act.type === "acknowledge"
              ? await request("POST /alerts/:alertId/acknowledge", { ...input, body: { note: act.note } })
              : act.type === "snooze"
                ? await request("POST /alerts/:alertId/snooze", { ...input, body: { until: act.until } })
                : await request("POST /alerts/:alertId/escalate", { ...input, body: { step: act.step } })
      } catch (cause) {
        setError(reasonOf(cause))
      }
      underWay.delete(alert.id)
      // What is still on its way was asked for before this answer.
      await client.cancelQueries({ queryKey: alertsKey(project) })
      show(client, project, answer)
      void client.invalidateQueries({ queryKey: alertsKey(project) })
    })
  return { error, dismiss: () => setError(undefined), handle }
}
