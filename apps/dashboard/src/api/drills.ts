/** The drills of a project, and the operations on them. */
import type { Drill, DrillReport } from "@kanmon/domain/Drill"
import { queryOptions } from "@tanstack/react-query"
import { request } from "./request.ts"
import type { Parts } from "./routes.ts"
import type { CurrentProject } from "./session.ts"
import { useWrite } from "./write.ts"

export type DrillRecord = typeof Drill.Encoded
export type Report = typeof DrillReport.Encoded

type Project = Pick<CurrentProject, "headers" | "id">

export const drillsKey = ({ id }: Pick<CurrentProject, "id">) => ["drills", id] as const

export const drillsQuery = (project: Project) =>
  queryOptions({
    queryKey: [...drillsKey(project), "list"],
    queryFn: ({ signal }) => request("GET /drills", { query: { limit: 300 }, project: project.headers, signal })
  })

/** Pages of a drill that runs have no events, so its report is asked for again and again. */
export const drillQuery = (project: Project, drillId: string) =>
  queryOptions({
    queryKey: [...drillsKey(project), drillId],
    queryFn: ({ signal }) => request("GET /drills/:drillId", { params: { drillId }, project: project.headers, signal }),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? 2000 : false)
  })

export const useCreateDrill = (project: CurrentProject) =>
  useWrite({
    send: (body: Parts<"POST /drills">["body"]) => request("POST /drills", { project: project.headers, body }),
    stale: [drillsKey(project)]
  })

/** Takes a scheduled drill off the schedule, and stops one that runs. `leave` leaves the page of one that is gone. */
export const useDeleteDrill = (project: CurrentProject, leave: () => unknown) =>
  useWrite({
    leave,
    send: (drillId: string) => request("DELETE /drills/:drillId", { params: { drillId }, project: project.headers }),
    stale: [drillsKey(project)]
  })
