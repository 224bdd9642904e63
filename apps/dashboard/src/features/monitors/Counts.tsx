/** How many monitors have each status; each count is a filter. */
import { Link } from "@tanstack/react-router"
import { formatLocale, t } from "../../locales/text.ts"
import { useHeldBy } from "../../ui/held.ts"
import { order, Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import type { ListSearch } from "./listSearch.ts"
import type { Selection } from "./select.ts"

const chip =
  "inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded-lg border border-transparent px-2.5 text-sm no-underline text-soft hover:text-ink hover:bg-ink/5 data-[on=true]:border-line data-[on=true]:bg-surface data-[on=true]:text-ink data-[on=true]:font-medium"

export const Counts = ({ counts, search }: { readonly counts: Selection["counts"]; readonly search: ListSearch }) => {
  // A status that appears or goes moves the links behind it.
  const { rows: statuses } = useHeldBy(
    order.filter((status) => counts[status] > 0 || search.status === status),
    String,
    { reset: JSON.stringify(search) }
  )
  const number = (count: number) => count.toLocaleString(formatLocale())
  return (
    <nav aria-label={t("By status")} className="-mx-1 mb-3 flex flex-wrap gap-1">
      <Link
        to="/monitors"
        search={{ ...search, status: undefined }}
        replace
        data-on={search.status === undefined}
        className={chip}
      >
        {t("All")} <span>{number(counts.all)}</span>
      </Link>
      {statuses.map((status) => (
        <Link
          key={status}
          to="/monitors"
          search={{ ...search, status }}
          replace
          data-on={search.status === status}
          className={chip}
        >
          <Shape tone={toneOf(status)} />
          {wordOf(status)} <span>{number(counts[status])}</span>
        </Link>
      ))}
    </nav>
  )
}
