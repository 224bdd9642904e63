/** Operations on incidents and maintenance windows. */
import type { IncidentUpdate } from "@kanmon/protocol/IncidentBody"
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { useWrite } from "../../api/write.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { incidentQuery, incidentsKey, type IncidentRecord } from "./queries.ts"

/** The fields that forms of incidents have. */
export const incidentFields = [
  "title",
  "status",
  "message",
  "monitorIds",
  "tags",
  "scheduledStart",
  "scheduledEnd",
  "recurrence",
  "timezone"
]

export const useCreateIncident = () => {
  const { project } = useProjectData()
  return useWrite({
    send: (body: Parts<"POST /incidents">["body"]) => request("POST /incidents", { project: project.headers, body }),
    learn: (client, created) => client.setQueryData(incidentQuery(project, created.id).queryKey, created),
    stale: [incidentsKey(project)]
  })
}

interface Change {
  readonly incident: IncidentRecord
  readonly body: IncidentUpdate
  /** The assumed incident until the answer is there. */
  readonly expected?: Partial<IncidentRecord>
}

/** Changes an incident: shown at once, and taken back when the API refuses. */
export const useUpdateIncident = () => {
  const { project } = useProjectData()
  return useWrite({
    send: ({ body, incident: { id } }: Change) =>
      request("PATCH /incidents/:incidentId", { params: { incidentId: id }, project: project.headers, body }),
    expect: async (client, { expected, incident }) => {
      const { queryKey } = incidentQuery(project, incident.id)
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, { ...incident, ...expected })
      return () => client.setQueryData(queryKey, before)
    },
    learn: (client, changed) => client.setQueryData(incidentQuery(project, changed.id).queryKey, changed),
    stale: [incidentsKey(project)]
  })
}

export const useDeleteIncident = (leave: () => unknown) => {
  const { project } = useProjectData()
  return useWrite({
    send: (incidentId: string) =>
      request("DELETE /incidents/:incidentId", { params: { incidentId }, project: project.headers }),
    leave,
    stale: [incidentsKey(project)]
  })
}
