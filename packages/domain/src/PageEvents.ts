/** The public events of what users do with status pages. */
import { cloudEventHeaders, type PageChanged } from "./ServiceEvent.ts"
import type { StatusPage } from "./StatusPage.ts"
import * as Subjects from "./Subjects.ts"
import { type EpochMillis, toIso } from "./Timestamp.ts"
import type { PublicEvent } from "./PublicEvent.ts"

export const pageEvent = (
  page: Pick<StatusPage, "id" | "projectId" | "slug" | "customDomain">,
  name: Subjects.PageEventName,
  at: EpochMillis,
  id: string
): PublicEvent => {
  const data: typeof PageChanged.Encoded = {
    pageId: page.id,
    projectId: page.projectId,
    slug: page.slug,
    customDomain: page.customDomain,
    at: toIso(at)
  }
  return {
    id,
    subject: Subjects.pageEvent(page.projectId, page.id, name),
    headers: cloudEventHeaders({ id, type: `kanmon.page.${name}`, subject: page.id, time: at }),
    payload: JSON.stringify(data)
  }
}
