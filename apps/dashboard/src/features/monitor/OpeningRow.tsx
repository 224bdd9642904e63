/** A row of a log that opens to its details, which are only asked for then. */
import { type ReactNode, useState } from "react"
import { Button as AriaButton } from "react-aria-components"
import { classes } from "../../ui/classes.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Shape, type Tone } from "../../ui/Status.tsx"

export const OpeningRow = ({
  children,
  className = "py-2",
  details,
  tone
}: {
  readonly tone: Tone
  /** The row. */
  readonly children: ReactNode
  readonly details: () => ReactNode
  readonly className?: string
}) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <AriaButton
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        className={classes(
          "flex min-h-11 w-full cursor-default items-start gap-2.5 text-start text-sm hover:bg-ink/4",
          className
        )}
      >
        <Shape tone={tone} className="mt-0.5" />
        <span className="min-w-0 flex-1">{children}</span>
        <Icon name="chevron" className={classes("mt-0.5 shrink-0 text-soft", isOpen && "rotate-180")} />
      </AriaButton>
      {isOpen && details()}
    </>
  )
}
