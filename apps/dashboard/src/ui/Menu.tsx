/** A button with a menu. The menu itself is loaded when the pointer or the focus is on the button: no page needs it at first. */
import { cloneElement, lazy, type ReactElement, Suspense, useEffect, useRef, useState } from "react"
import { ahead } from "./ahead.ts"
import type { ButtonProps } from "./Button.tsx"
import type { MenuEntry } from "./MenuPopover.tsx"

const load = () => import("./MenuPopover.tsx")
const MenuPopover = lazy(load)

/** `groups` are separated by lines; `titles` are theirs, where they have some. */
export const Menu = ({
  button,
  groups,
  label,
  titles
}: {
  readonly label: string
  readonly button: ReactElement<ButtonProps>
  readonly groups: ReadonlyArray<ReadonlyArray<MenuEntry>>
  readonly titles?: ReadonlyArray<string | undefined>
}) => {
  const [isOpen, setOpen] = useState(false)
  const ref = useRef<HTMLButtonElement>(null)
  const chosen = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    if (isOpen || chosen.current === undefined) return
    const run = chosen.current
    chosen.current = undefined
    // A dialog that this opens gives the focus back to where it was.
    ref.current?.focus()
    run()
  }, [isOpen])
  return (
    <>
      {cloneElement(button, {
        ref,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        // At the start of a press, so that nothing that moves meanwhile takes it; fingers may still scroll.
        onPressStart: ({ pointerType }) => {
          if (pointerType === "mouse" || pointerType === "pen") setOpen(true)
        },
        onPress: ({ pointerType }) => {
          if (pointerType !== "mouse" && pointerType !== "pen") setOpen(true)
        },
        onHoverStart: () => ahead(load),
        onFocus: () => ahead(load),
        onKeyDown: (event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") setOpen(true)
          else event.continuePropagation()
        }
      })}
      {isOpen && (
        <Suspense>
          <MenuPopover
            button={ref}
            groups={groups}
            titles={titles}
            label={label}
            onChoice={(run) => {
              chosen.current = run
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
