/** Numbers as people read them: digits of one width, the unit smaller and softer than the figure, a dash where nothing is known. */
import type { ReactNode } from "react"
import { formatLocale } from "../locales/text.ts"
import { duration, type Measured, millisParts, percentParts } from "../locales/time.ts"
import { classes } from "./classes.ts"

const parts = { millis: millisParts, percent: percentParts } as const satisfies Record<
  string,
  (value: number) => Measured
>

/** A number of things. */
export const Count = ({ value }: { readonly value: number }) => (
  <span className="tabular-nums">{value.toLocaleString(formatLocale())}</span>
)

/** A measured number with its unit. */
export const Quantity = ({
  as,
  value
}: {
  readonly as: keyof typeof parts
  readonly value: number | null | undefined
}) => {
  if (value == null) return <span className="text-soft">–</span>
  const [figure, unit] = parts[as](value)
  return (
    <span className="whitespace-nowrap tabular-nums">
      {figure} <span className="text-[0.8em] font-normal text-soft">{unit}</span>
    </span>
  )
}

/** A length of time in words. */
export const Duration = ({ seconds }: { readonly seconds: number }) => (
  <span className="tabular-nums">{duration(seconds)}</span>
)

/** In the place of a figure that there is not. */
export const NoFigure = ({ children }: { readonly children: ReactNode }) => (
  <span className="text-base font-normal text-soft">{children}</span>
)

/** A figure that a page is about, with what it is of and of when: "99.98 % · Uptime, 30 days". */
export const Figure = ({
  children,
  className,
  label
}: {
  readonly label: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) => (
  <div className={classes("flex min-w-0 flex-col-reverse justify-end", className)}>
    <dt className="text-small text-soft">{label}</dt>
    <dd className="text-xl leading-tight font-semibold">{children}</dd>
  </div>
)
