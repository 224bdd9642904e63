/** A part of a page: a heading below a hairline. */
import type { ReactNode } from "react"
import { classes } from "./classes.ts"

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
  <section
    className={classes("flex min-w-0 flex-col gap-3 border-t border-line pt-5 first:border-t-0 first:pt-0", className)}
  >
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
