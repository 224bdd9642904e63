/** A group of the list: how many monitors are in it and below it, and how the worst of them is. */
import { t } from "../../locales/text.ts"
import { classes } from "../../ui/classes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Count } from "../../ui/Quantity.tsx"
import { indentOf } from "./Row.tsx"
import type { Item } from "./tree.ts"

export const GroupRow = ({ item }: { readonly item: Extract<Item, { readonly kind: "group" }> }) => {
  const { count, depth, failing, isOpen, name, worst } = item
  return (
    <div
      role="gridcell"
      className="flex min-w-0 flex-1 items-center gap-2.5"
      style={{ paddingInlineStart: indentOf(depth) }}
    >
      <Icon name="chevron" className={classes("shrink-0 text-soft", !isOpen && "-rotate-90 rtl:rotate-90")} />
      <Shape tone={toneOf(worst)} />
      <span className="sr-only">{wordOf(worst)}</span>
      <bdi className="truncate font-semibold">{name}</bdi>
      <span className="shrink-0 text-sm text-soft">
        <Count value={count} />
        {failing > 0 && (
          <>
            {" · "}
            <span className="text-down">
              {t("{count, plural, one {# failing} other {# failing}}", { count: failing })}
            </span>
          </>
        )}
      </span>
    </div>
  )
}
