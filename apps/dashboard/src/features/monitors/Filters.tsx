/** Filters of the list beside the search. */
import { lazy, Suspense, useRef, useState } from "react"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { facets, labels, wordOf } from "./facets.ts"
import type { FiltersProps } from "./FilterFields.tsx"

const FilterFields = lazy(() => import("./FilterFields.tsx"))

export const Filters = (props: FiltersProps) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const count = facets.filter((facet) => props.search[facet] !== undefined).length
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Icon name="filter" />
        {t("Filter")}
        {count > 0 && <span className="rounded-full bg-accent px-1.5 text-xs text-surface">{count}</span>}
      </Button>
      {isOpen && (
        <Suspense>
          <FilterFields {...props} button={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The filters that are set, each to remove by one press. */
export const ActiveFilters = ({ onChange, search }: Omit<FiltersProps, "monitors">) => {
  const active = facets.filter((facet) => search[facet] !== undefined)
  if (active.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {active.map((facet) => (
        <li key={facet} className="min-w-0">
          <Button
            className="max-w-full min-h-8! pointer-coarse:min-h-11! px-2.5"
            aria-label={t("Remove the filter {name}", {
              name: `${t(labels[facet])}: ${wordOf(facet, search[facet]!)}`
            })}
            onPress={() => onChange({ [facet]: undefined })}
          >
            <span className="text-soft">{t(labels[facet])}</span>
            <bdi className="truncate">{wordOf(facet, search[facet]!)}</bdi>
            <Icon name="close" className="size-3.5 shrink-0 text-soft" />
          </Button>
        </li>
      ))}
    </ul>
  )
}
