/** Dialogs, which open over the page, and menus. */
import type { ReactNode } from "react"
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components"

export { Menu } from "./Menu.tsx"

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
    <Modal className="max-h-full w-full max-w-md overflow-auto rounded-xl border border-line bg-surface shadow-[0_16px_60px_rgb(0_0_0/.3)]">
      <AriaDialog role={alert ? "alertdialog" : "dialog"} className="flex flex-col gap-4 p-5 outline-none sm:p-6">
        <Heading slot="title" className="text-lg">
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
