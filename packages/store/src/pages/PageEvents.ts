/** The public events of what users do with status pages, as the outbox keeps them. */
import { cloudEventHeaders, type PageChanged } from "@kanmon/domain/ServiceEvent"
import type { StatusPage } from "@kanmon/domain/StatusPage"
import * as Subjects from "@kanmon/domain/Subjects"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import type { OutboxEvent } from "../outbox/Outbox.ts"

export const pageEvent = (
  page: Pick<StatusPage, "id" | "projectId" | "slug" | "customDomain">,
  name: Subjects.PageEventName,
  at: EpochMillis,
  id: string
): OutboxEvent => {
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
