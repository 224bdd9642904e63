/** Numbers as people read them: digits of one width, the unit smaller and softer than the figure, a dash where nothing is known. */
import { formatLocale } from "../locales/text.ts"
import { duration, type Measured, millisParts, percentParts } from "../locales/time.ts"

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

/** A figure that a page is about, with what it is of and of when: "99.98 % · Uptime, 30 days". */
export const Figure = ({ children, label }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div className="flex min-w-0 flex-col-reverse justify-end">
    <dt className="text-small text-soft">{label}</dt>
    <dd className="text-xl leading-tight font-semibold">{children}</dd>
  </div>
)
