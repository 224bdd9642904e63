/** Changes an incident: shown at once, and taken back when the API refuses. */
import type { IncidentUpdate } from "@kanmon/protocol/IncidentBody"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { type FormErrors, formErrors, noErrors } from "../../api/problem.ts"
import type { Parts } from "../../api/routes.ts"
import { request } from "../../api/request.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { incidentQuery, incidentsKey, type IncidentRecord } from "./queries.ts"

const names = [
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

export const useChange = () => {
  const { project } = useProjectData()
  const client = useQueryClient()
  const [errors, setErrors] = useState<FormErrors>(noErrors)
  const [isBusy, setBusy] = useState(false)

  const run = async <A>(action: () => Promise<A>): Promise<A | undefined> => {
    setBusy(true)
    setErrors(noErrors)
    try {
      return await action()
    } catch (error) {
      setErrors(formErrors(error, names))
      return undefined
    } finally {
      setBusy(false)
      void client.invalidateQueries({ queryKey: incidentsKey(project) })
    }
  }

  /** Sends a change; `expected` is what the incident is assumed to be meanwhile. */
  const change = (incident: IncidentRecord, body: IncidentUpdate, expected: Partial<IncidentRecord> = {}) =>
    run(async () => {
      const { queryKey } = incidentQuery(project, incident.id)
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, { ...incident, ...expected })
      try {
        const changed = await request("PATCH /incidents/:incidentId", {
          params: { incidentId: incident.id },
          project: project.headers,
          body
        })
        client.setQueryData(queryKey, changed)
        return changed
      } catch (error) {
        client.setQueryData(queryKey, before)
        throw error
      }
    })

  const create = (body: Parts<"POST /incidents">["body"]) =>
    run(async () => {
      const created = await request("POST /incidents", { project: project.headers, body })
      client.setQueryData(incidentQuery(project, created.id).queryKey, created)
      return created
    })

  const remove = ({ id }: IncidentRecord) =>
    run(() => request("DELETE /incidents/:incidentId", { params: { incidentId: id }, project: project.headers }))

  return { change, create, remove, errors, isBusy }
}
