/** Filters of the list beside the search. */
import { lazy, Suspense, useState } from "react"
import { Dialog, DialogTrigger, Popover } from "react-aria-components"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { classes, popoverClass } from "../../ui/classes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { facets, labels } from "./facets.ts"
import type { FiltersProps } from "./FilterFields.tsx"

const FilterFields = lazy(() => import("./FilterFields.tsx"))

export const Filters = (props: FiltersProps) => {
  const [isOpen, setOpen] = useState(false)
  const count = facets.filter((facet) => props.search[facet] !== undefined).length
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button>
        <Icon name="filter" />
        {t("Filter")}
        {count > 0 && <span className="rounded-full bg-accent px-1.5 text-xs text-surface">{count}</span>}
      </Button>
      <Popover className={classes(popoverClass, "w-72 max-w-[calc(100vw-1rem)]")}>
        <Dialog aria-label={t("Filter")} className="outline-none">
          {isOpen && (
            <Suspense>
              <FilterFields {...props} />
            </Suspense>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** The filters that are set, each to remove by one press. */
export const ActiveFilters = ({ onChange, search }: Omit<FiltersProps, "monitors">) => {
  const active = facets.filter((facet) => search[facet] !== undefined)
  if (active.length === 0) return null
  return (
    <ul className="mb-3 flex flex-wrap gap-2">
      {active.map((facet) => (
        <li key={facet} className="min-w-0">
          <Button
            className="max-w-full min-h-8! pointer-coarse:min-h-11! px-2.5"
            aria-label={t("Remove the filter {name}", { name: `${t(labels[facet])}: ${search[facet]!}` })}
            onPress={() => onChange({ [facet]: undefined })}
          >
            <span className="text-soft">{t(labels[facet])}</span>
            <bdi className="truncate">{search[facet]}</bdi>
            <Icon name="close" className="size-3.5 shrink-0 text-soft" />
          </Button>
        </li>
      ))}
    </ul>
  )
}
