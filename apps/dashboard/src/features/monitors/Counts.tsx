/** How many monitors have each status; each count is a filter. */
import { Link } from "@tanstack/react-router"
import { t } from "../../locales/text.ts"
import { useHeldBy } from "../../ui/held.ts"
import { Count } from "../../ui/Quantity.tsx"
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
  return (
    <nav aria-label={t("By status")} className="flex flex-wrap gap-1">
      <Link
        to="/monitors"
        search={{ ...search, status: undefined }}
        replace
        data-on={search.status === undefined}
        className={chip}
      >
        {t("All")} <Count value={counts.all} />
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
          {wordOf(status)} <Count value={counts[status]} />
        </Link>
      ))}
    </nav>
  )
}
