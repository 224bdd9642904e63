/** A menu, apart from dialogs, which pages need later. */
import type { ReactNode } from "react"
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from "react-aria-components"
import { classes, itemClass, popoverClass } from "./classes.ts"

interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly checked?: boolean
  readonly onAction: () => void
}

/** A button, and the menu that it opens; `groups` are separated by lines. */
export const Menu = ({
  button,
  groups,
  label
}: {
  readonly label: string
  readonly button: ReactNode
  readonly groups: ReadonlyArray<ReadonlyArray<MenuEntry>>
}) => (
  <MenuTrigger>
    {button}
    <Popover className={classes(popoverClass, "min-w-48 max-w-[calc(100vw-1rem)]")}>
      <AriaMenu aria-label={label} className="outline-none">
        {groups.flatMap((entries, index) => [
          ...(index === 0 ? [] : [<Separator key={`line ${index}`} className="my-1 h-px bg-line" />]),
          ...entries.map(({ checked, danger, disabled, icon, id, label, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={label}
              isDisabled={disabled === true}
              onAction={onAction}
              className={classes(itemClass, danger === true && "text-down")}
            >
              <span className="flex items-center gap-2.5">
                {icon}
                <span className="truncate">{label}</span>
                {checked === true && <span className="ms-auto ps-3 text-accent">✓</span>}
              </span>
            </MenuItem>
          ))
        ])}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
