/** A card with a heading: the parts of a page. */
import type { ReactNode } from "react"
import { classes } from "./classes.ts"

export const cardClass = "rounded-2xl border border-line bg-surface p-4 shadow-(--shadow) sm:p-5"

export const Section = ({
  actions,
  children,
  className,
  title
}: {
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly className?: string
}) => (
  <section className={classes(cardClass, "flex min-w-0 flex-col gap-3", className)}>
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
