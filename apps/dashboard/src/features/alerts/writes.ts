/** Operations on alerts and silences. An act on an alert is shown at once, and taken back when it is refused. */
import { type InfiniteData, type QueryClient, useQuery } from "@tanstack/react-query"
import { reasonOf } from "../../api/problem.ts"
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { type CurrentProject, sessionQuery } from "../../api/session.ts"
import { keepEntry, useWrite, withoutEntry } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { type Act, expected, type Handling, handlingKey } from "./handling.ts"
import { type AlertPage, type AlertRecord, alertQuery, alertsKey, silencesQuery } from "./queries.ts"

/** Shows this version of an alert everywhere; it stays in its place until the lists are asked for again. */
const show = async (client: QueryClient, project: CurrentProject, alert: AlertRecord): Promise<void> => {
  // An answer that is still on its way is older.
  await client.cancelQueries({ queryKey: alertsKey(project) })
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

/** Acknowledges, snoozes, reopens or escalates an alert. Acts on the same alert take effect in their order. */
const useHandleAlert = (id: string) => {
  const { project } = useProjectData()
  return useWrite({
    key: handlingKey(id),
    scope: `alert ${id}`,
    send: ({ act }: Handling): Promise<AlertRecord> => {
      const input = { params: { alertId: id }, project: project.headers }
      switch (act.type) {
        case "unacknowledge":
          return request("POST /alerts/:alertId/unacknowledge", input)
        case "acknowledge":
          return request("POST /alerts/:alertId/acknowledge", { ...input, body: { note: act.note } })
        case "snooze":
          return request("POST /alerts/:alertId/snooze", { ...input, body: { until: act.until } })
        case "resolve":
          return request("POST /alerts/:alertId/resolve", input)
        case "escalate":
          return request("POST /alerts/:alertId/escalate", { ...input, body: { step: act.step } })
      }
    },
    expect: async (client, handling) => {
      await show(client, project, expected(handling.alert, handling))
      return () => show(client, project, handling.alert)
    },
    learn: (client, answer) => show(client, project, answer),
    stale: [alertsKey(project)]
  })
}

/** Acts on an alert, with the reason of the last refusal. */
export const useHandling = (alert: AlertRecord) => {
  const { data: session } = useQuery(sessionQuery)
  const { error, mutate, reset } = useHandleAlert(alert.id)
  return {
    error: error === null ? undefined : reasonOf(error),
    dismiss: reset,
    handle: (act: Act) => mutate({ alert, act, name: session?.user.name ?? "" })
  }
}

/** Pages people about an alert, beside those of its policy. */
export const usePageAbout = (alertId: string) => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Parts<"POST /alerts/:alertId/page">["body"]) =>
      request("POST /alerts/:alertId/page", { params: { alertId }, project: project.headers, body }),
    stale: [alertsKey(project)]
  })
}

export const useCreateSilence = () => {
  const { project } = useProjectData()
  const { queryKey } = silencesQuery(project)
  return useWrite({
    send: (body: Parts<"POST /silences">["body"]) => request("POST /silences", { project: project.headers, body }),
    learn: (client, record) => keepEntry(client, queryKey, record, true),
    stale: [queryKey]
  })
}

export const useEndSilence = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (silenceId: string) =>
      request("DELETE /silences/:silenceId", { params: { silenceId }, project: project.headers }),
    expect: withoutEntry(silencesQuery(project).queryKey),
    stale: [alertsKey(project)]
  })
}
