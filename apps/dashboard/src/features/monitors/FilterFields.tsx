/** The fields of the filters: common properties of monitors with their counts. Loaded when the filters are opened. */
import { type RefObject, useMemo } from "react"
import { Dialog, Popover } from "react-aria-components"
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { formatLocale, t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { Button } from "../../ui/Button.tsx"
import { type Option, Select } from "../../ui/Choice.tsx"
import { classes, popoverClass } from "../../ui/classes.ts"
import { type Facet, facets, labels, wordOf } from "./facets.ts"
import type { ListSearch } from "./listSearch.ts"

export interface FiltersProps {
  readonly monitors: ReadonlyArray<MonitorSummary>
  readonly search: ListSearch
  readonly onChange: (part: Partial<ListSearch>) => void
}

const valuesOf: Readonly<Record<Facet, (monitor: MonitorSummary) => ReadonlyArray<string>>> = {
  type: ({ type }) => [type],
  tag: ({ tags }) => tags,
  // A group is in the groups above it.
  group: ({ group }) =>
    group === null ? [] : group.split("/").map((_, at, names) => names.slice(0, at + 1).join("/")),
  region: ({ regions }) => regions,
  results: ({ stale }) => (stale ? ["overdue"] : [])
}

/** The select's option that filters nothing. */
const any = "*"

const optionsOf = (monitors: ReadonlyArray<MonitorSummary>, facet: Facet): ReadonlyArray<Option> => {
  const counts = new Map<string, number>()
  for (const monitor of monitors)
    for (const value of valuesOf[facet](monitor)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([one], [other]) => byName(one, other))
    .map(([value, count]) => ({
      id: `=${value}`,
      label: `${wordOf(facet, value)} (${count.toLocaleString(formatLocale())})`
    }))
}

const FilterFields = ({
  button,
  monitors,
  onChange,
  onClose,
  search
}: FiltersProps & { readonly button: RefObject<HTMLElement | null>; readonly onClose: () => void }) => {
  const options = useMemo(() => facets.map((facet) => [facet, optionsOf(monitors, facet)] as const), [monitors])
  return (
    <Popover
      triggerRef={button}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={classes(popoverClass, "w-72 max-w-[calc(100vw-1rem)]")}
    >
      <Dialog aria-label={t("Filter")} className="flex flex-col gap-3 p-3 outline-none">
        {options.map(([facet, found]) => {
          const value = search[facet]
          // A value that nothing has any more can still be in the address.
          const all =
            value === undefined || found.some(({ id }) => id === `=${value}`)
              ? found
              : [...found, { id: `=${value}`, label: wordOf(facet, value) }]
          if (all.length === 0) return null
          return (
            <Select
              key={facet}
              label={t(labels[facet])}
              value={value === undefined ? any : `=${value}`}
              onChange={(id) => onChange({ [facet]: id === any ? undefined : id.slice(1) })}
              options={[{ id: any, label: t("Any") }, ...all]}
            />
          )
        })}
        {facets.some((facet) => search[facet] !== undefined) && (
          <Button onPress={() => onChange(Object.fromEntries(facets.map((facet) => [facet, undefined])))}>
            {t("Remove these filters")}
          </Button>
        )}
      </Dialog>
    </Popover>
  )
}

export default FilterFields
