/** Entries of the audit log as CSV (RFC 4180), for spreadsheets. */
import type { AuditEntry } from "@kanmon/domain/AuditEntry"
import { toIso } from "@kanmon/domain/Timestamp"
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

/** Spreadsheets run a cell that begins like a formula, so it gets an apostrophe; users choose the names. */
const cell = (value: string | null): string => {
  const text = value ?? ""
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: ReadonlyArray<string>): string => `${cells.join(",")}\r\n`

/** A header line and one line for each entry. */
export const form: ListForm<AuditEntry> = {
  contentType: "text/csv; charset=utf-8",
  opening: line(columns.map(([name]) => name)),
  item: (entry) => line(columns.map(([, valueOf]) => cell(valueOf(entry)))),
  between: "",
  closing: ""
}
