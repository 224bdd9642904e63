/** The open menu of a button. */
import type { ReactNode, RefObject } from "react"
import { Header, Menu as AriaMenu, MenuItem, MenuSection, Popover, Separator } from "react-aria-components"
import { classes, itemClass, popoverClass } from "./classes.ts"

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly checked?: boolean
  readonly onAction: () => void
}

const noTitles: ReadonlyArray<undefined> = []

const MenuPopover = ({
  button,
  groups,
  label,
  onChoice,
  onClose,
  titles = noTitles
}: {
  readonly button: RefObject<HTMLElement | null>
  readonly groups: ReadonlyArray<ReadonlyArray<MenuEntry>>
  readonly titles?: ReadonlyArray<string | undefined> | undefined
  readonly label: string
  /** The action after the menu is closed. */
  readonly onChoice: (run: () => void) => void
  readonly onClose: () => void
}) => (
  <Popover
    triggerRef={button}
    aria-label={label}
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
    className={classes(popoverClass, "min-w-48 max-w-[calc(100vw-1rem)]")}
  >
    <AriaMenu aria-label={label} autoFocus="first" onClose={onClose} className="outline-none">
      {groups.flatMap((entries, index) => [
        ...(index === 0 ? [] : [<Separator key={`line before ${entries[0]?.id}`} className="my-1 h-px bg-line" />]),
        <MenuSection
          key={`group of ${entries[0]?.id}`}
          {...(titles[index] === undefined ? { "aria-label": label } : {})}
        >
          {titles[index] !== undefined && (
            <Header className="truncate px-3 pt-2 pb-1 text-xs font-medium text-soft">{titles[index]}</Header>
          )}
          {entries.map(({ checked, danger, disabled, icon, id, label, onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={label}
              isDisabled={disabled === true}
              onAction={() => onChoice(onAction)}
              className={classes(itemClass, danger === true && "text-down")}
            >
              <span className="flex items-center gap-2.5">
                {icon}
                <span className="truncate">{label}</span>
                {checked === true && <span className="ms-auto ps-3 text-accent">✓</span>}
              </span>
            </MenuItem>
          ))}
        </MenuSection>
      ])}
    </AriaMenu>
  </Popover>
)

export default MenuPopover
