/** The entries of the audit log, page by page, and all of them as a table for spreadsheets. */
import type { AuditEntry } from "@kanmon/domain/AuditEntry"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { nextCursor, requestPage } from "../../api/pages.ts"
import { call } from "../../api/request.ts"
import type { CurrentProject } from "../../api/session.ts"
import type { AuditSearch } from "./auditSearch.ts"

export type Entry = typeof AuditEntry.Encoded

const pageSize = 50
/** The longest page of the API. */
const exportSize = 1000

const routeOf = ({ scope }: AuditSearch) =>
  scope === undefined ? "GET /audit-log" : (`GET /audit-log/${scope}` as const)

/** The project of the log, or the organization of that project. */
const headersOf = (project: CurrentProject, { scope }: AuditSearch) =>
  scope === "organization" ? { "kanmon-organization": project.organizationId } : project.headers

const filtersOf = ({ by, kind }: AuditSearch) => ({
  actor: by,
  action: kind === undefined ? undefined : `${kind}.*`
})

export const auditQuery = (project: CurrentProject, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ["audit-log", project.id, search.scope ?? "", search.kind ?? "", search.by ?? ""],
    queryFn: ({ pageParam, signal }) =>
      requestPage(routeOf(search), {
        query: { ...filtersOf(search), limit: pageSize, cursor: pageParam },
        project: headersOf(project, search),
        signal
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next
  })

/** All entries that match as CSV; the header line stands only at the top. */
export const exportCsv = async (project: CurrentProject, search: AuditSearch): Promise<Blob> => {
  const parts: Array<string> = []
  let cursor: string | undefined
  do {
    const response = await call(routeOf(search), {
      query: { ...filtersOf(search), limit: exportSize, cursor },
      project: headersOf(project, search),
      accept: "text/csv"
    })
    const text = await response.text()
    parts.push(cursor === undefined ? text : text.slice(text.indexOf("\n") + 1))
    cursor = nextCursor(response.headers.get("link"))
  } while (cursor !== undefined)
  return new Blob(parts, { type: "text/csv" })
}
