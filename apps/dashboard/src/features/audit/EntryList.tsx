/** Entries of the audit log with actor, time, origin, and the fields before and after. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { t } from "../../locales/text.ts"
import { idOf } from "../../ui/held.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Moment } from "../../ui/Time.tsx"
import type { AuditSearch } from "./auditSearch.ts"
import type { Entry } from "./queries.ts"
import { actionWord, actorName } from "./words.ts"
import { listClass } from "../../ui/classes.ts"

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const Value = ({ label, value }: { readonly label: string; readonly value: unknown }) => (
  <td className="block min-w-0 py-1 align-top sm:table-cell sm:pe-3">
    <span aria-hidden className="me-2 text-small text-soft sm:hidden">
      {label}
    </span>
    {value === undefined ? (
      <span className="text-soft">–</span>
    ) : (
      <code className="text-small break-words whitespace-pre-wrap">{show(value)}</code>
    )}
  </td>
)

const Change = ({ after, before }: Pick<Entry, "after" | "before">) => {
  const names = Object.keys({ ...before, ...after })
  if (names.length === 0) return null
  return (
    <details className="mt-1">
      <summary className="w-fit min-h-9 cursor-default content-center text-sm text-soft select-none hover:text-ink pointer-coarse:min-h-11">
        {t("{count, plural, one {# field} other {# fields}}", { count: names.length })}
      </summary>
      <table className="w-full table-fixed border-collapse text-sm">
        <thead className="max-sm:sr-only">
          <tr className="text-start text-soft">
            <th scope="col" className="w-1/4 py-1 text-start font-medium">
              {t("Field")}
            </th>
            {before !== null && (
              <th scope="col" className="py-1 text-start font-medium">
                {t("Before")}
              </th>
            )}
            {after !== null && (
              <th scope="col" className="py-1 text-start font-medium">
                {t("After")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="block border-t border-line py-1 sm:table-row">
              <th scope="row" className="block py-1 text-start align-top font-medium break-words sm:table-cell sm:pe-3">
                {name}
              </th>
              {before !== null && <Value label={t("Before")} value={before[name]} />}
              {after !== null && <Value label={t("After")} value={after[name]} />}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

const linkClass = "text-inherit underline decoration-line underline-offset-4 hover:decoration-current"

/** The name of what was changed, with a link to it while it may exist. */
const Target = ({ action, target: { id, kind, name } }: Entry): ReactNode => {
  const text = <bdi>{name}</bdi>
  if (action.endsWith(".deleted")) return text
  const params = { id }
  switch (kind) {
    case "monitor":
      return (
        <Link to="/monitors/$id" params={params} className={linkClass}>
          {text}
        </Link>
      )
    case "incident":
    case "maintenance":
      return (
        <Link to="/incidents/$id" params={params} className={linkClass}>
          {text}
        </Link>
      )
    case "channel":
      return (
        <Link to="/channels/$id" params={params} className={linkClass}>
          {text}
        </Link>
      )
    case "alert_rule":
      return (
        <Link to="/rules/$id" params={params} className={linkClass}>
          {text}
        </Link>
      )
    case "status_page":
      return (
        <Link to="/status-pages/$id" params={params} className={linkClass}>
          {text}
        </Link>
      )
    default:
      return text
  }
}

export const EntryList = ({
  empty,
  entries,
  reset = "",
  search
}: {
  /** The placeholder of an empty list. */
  readonly empty?: ReactNode
  /** The reader's present request. */
  readonly reset?: string
  readonly entries: ReadonlyArray<Entry>
  readonly search: AuditSearch
}) => (
  <HeldList
    label={t("Audit log")}
    items={entries}
    keyOf={idOf}
    reset={reset}
    className={listClass}
    rowClass="px-2 py-3"
    empty={empty}
  >
    {(entry) => (
      <>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{actionWord(entry.action)}</span>
          <span className="min-w-0 break-words">
            <Target {...entry} />
          </span>
        </p>
        <p className="text-sm text-soft">
          <Moment at={entry.at} /> ·{" "}
          {entry.actor.id === null ? (
            <bdi>{actorName(entry.actor)}</bdi>
          ) : (
            <Link to="/settings/audit" search={{ ...search, by: entry.actor.id }} className={linkClass}>
              <bdi className="break-words">{actorName(entry.actor)}</bdi>
            </Link>
          )}
          {entry.address !== null && <> · {t("from {address}", { address: entry.address })}</>}
        </p>
        <Change before={entry.before} after={entry.after} />
      </>
    )}
  </HeldList>
)
