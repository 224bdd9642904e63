/** What opens over the page: dialogs, menus, tooltips. */
import type { ReactNode } from "react"
import {
  Dialog as AriaDialog,
  Heading,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
  Separator
} from "react-aria-components"
import { classes, itemClass, popoverClass } from "./classes.ts"

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** It asks before something that cannot be undone, or cannot be closed without an answer. */
  readonly alert?: boolean
  readonly dismissable?: boolean
  readonly children: ReactNode
}

export const Dialog = ({ alert = false, children, dismissable = true, isOpen, onOpenChange, title }: DialogProps) => (
  <ModalOverlay
    isOpen={isOpen}
    {...(onOpenChange === undefined ? {} : { onOpenChange })}
    isDismissable={dismissable && !alert}
    isKeyboardDismissDisabled={!dismissable}
    className="fixed inset-0 z-40 flex items-end justify-center bg-[rgb(0_0_0/.45)] p-3 sm:items-center"
  >
    <Modal className="max-h-full w-full max-w-md overflow-auto rounded-2xl border border-line bg-surface shadow-[0_16px_60px_rgb(0_0_0/.3)]">
      <AriaDialog role={alert ? "alertdialog" : "dialog"} className="flex flex-col gap-4 p-5 outline-none sm:p-6">
        <Heading slot="title" className="text-lg">
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)

export interface MenuEntry {
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
