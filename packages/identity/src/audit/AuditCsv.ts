/** Entries of the audit log as CSV (RFC 4180), for spreadsheets. */
import type { AuditEntry } from "@kanmon/domain/AuditEntry"
import { toIso } from "@kanmon/domain/Timestamp"
import * as Csv from "@kanmon/platform/Csv"
import type { ListForm } from "@kanmon/platform/http/Paging"

const columns: ReadonlyArray<readonly [name: string, valueOf: (entry: AuditEntry) => string | null]> = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => toIso(at)],
  ["actorKind", ({ actor }) => actor.kind],
  ["actorId", ({ actor }) => actor.id],
  ["actorName", ({ actor }) => actor.name],
  ["action", ({ action }) => action],
  ["targetKind", ({ target }) => target.kind],
  ["targetId", ({ target }) => target.id],
  ["targetName", ({ target }) => target.name],
  ["projectId", ({ projectId }) => projectId],
  ["address", ({ address }) => address],
  ["before", ({ before }) => (before === null ? null : JSON.stringify(before))],
  ["after", ({ after }) => (after === null ? null : JSON.stringify(after))],
  ["onBehalfOfId", ({ actor }) => actor.onBehalfOf?.id ?? null],
  ["onBehalfOfName", ({ actor }) => actor.onBehalfOf?.name ?? null]
]

/** A header line and one line for each entry. */
export const form: ListForm<AuditEntry> = {
  contentType: Csv.contentType,
  opening: Csv.record(columns.map(([name]) => name)),
  item: (entry) => Csv.record(columns.map(([, valueOf]) => valueOf(entry))),
  between: "",
  closing: ""
}
