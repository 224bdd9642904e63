/** Orders monitors and headings: by dragging, by the drag button and the arrow keys, and by the menu of a row. */
import { Button as AriaButton, DropIndicator, GridList, GridListItem, useDragAndDrop } from "react-aria-components"
import { t } from "../../locales/text.ts"
import { IconButton } from "../../ui/Button.tsx"
import { inputClass } from "../../ui/classes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Overlay.tsx"
import { moved, type Row } from "./sections.ts"

export const SectionList = ({
  nameOf,
  onChange,
  rows
}: {
  readonly rows: ReadonlyArray<Row>
  readonly nameOf: (monitorId: string) => string
  readonly onChange: (rows: ReadonlyArray<Row>) => void
}) => {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className="outline-none data-drop-target:outline-2 data-drop-target:outline-accent"
      />
    ),
    onReorder: ({ keys, target }) => {
      if (target.dropPosition === "on") return
      onChange(moved(rows, new Set([...keys].map(String)), String(target.key), target.dropPosition))
    }
  })
  const move = (index: number, by: 1 | -1) => {
    const [row, other] = [rows[index], rows[index + by]]
    if (row !== undefined && other !== undefined)
      onChange(moved(rows, new Set([row.id]), other.id, by === 1 ? "after" : "before"))
  }
  return (
    <GridList
      aria-label={t("Monitors and headings of the page")}
      items={rows.map((row, index) => ({ ...row, index }))}
      dragAndDropHooks={dragAndDropHooks}
      keyboardNavigationBehavior="tab"
      className="rounded-xl border border-line bg-surface"
      renderEmptyState={() => <p className="px-4 py-6 text-center text-sm text-soft">{t("No monitor is shown yet")}</p>}
    >
      {(row) => {
        const name = row.kind === "heading" ? row.text || t("Heading") : nameOf(row.id)
        return (
          <GridListItem
            id={row.id}
            textValue={name}
            className="flex min-h-11 items-center gap-2 border-t border-line px-2 py-1 outline-none first:border-t-0 keyfocus:outline-2 keyfocus:-outline-offset-2 keyfocus:outline-accent data-dragging:opacity-50"
          >
            <AriaButton
              slot="drag"
              aria-label={t("Move {name}", { name })}
              className="grid size-9 shrink-0 cursor-grab place-items-center rounded-lg text-soft hover:bg-ink/6 pointer-coarse:size-11"
            >
              <Icon name="grip" />
            </AriaButton>
            {row.kind === "heading" ? (
              <input
                aria-label={t("Heading")}
                placeholder={t("Heading")}
                value={row.text}
                maxLength={100}
                // A new heading gets the focus.
                autoFocus={row.text === ""}
                onChange={(event) => {
                  const text = event.target.value
                  onChange(rows.map((each) => (each.id === row.id ? { kind: "heading", id: row.id, text } : each)))
                }}
                className={`${inputClass} min-w-0 flex-1 font-semibold`}
              />
            ) : (
              <bdi className="min-w-0 flex-1 truncate ps-1">{name}</bdi>
            )}
            <Menu
              label={t("More")}
              button={
                <IconButton aria-label={t("More about {name}", { name })}>
                  <Icon name="more" />
                </IconButton>
              }
              groups={[
                [
                  { id: "up", label: t("Move up"), disabled: row.index === 0, onAction: () => move(row.index, -1) },
                  {
                    id: "down",
                    label: t("Move down"),
                    disabled: row.index === rows.length - 1,
                    onAction: () => move(row.index, 1)
                  }
                ],
                [
                  {
                    id: "remove",
                    label: t("Remove"),
                    danger: true,
                    onAction: () => onChange(rows.filter(({ id }) => id !== row.id))
                  }
                ]
              ]}
            />
          </GridListItem>
        )
      }}
    </GridList>
  )
}
