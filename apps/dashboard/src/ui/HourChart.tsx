/** The response times of an hour as a small picture: a line with gaps where nothing answered, and the time in which it failed. */
import { millis } from "../locales/time.ts"
import { t } from "../locales/text.ts"
import { high, hourPath, wide } from "./chart/hour.ts"
import { quantileOf, type Span } from "./chart/series.ts"

export const HourChart = ({
  failingFrom,
  span,
  values
}: {
  /** The response time of each minute of the span; at least one is known. */
  readonly values: ReadonlyArray<number | null>
  readonly span: Span
  /** Since when it fails, in seconds. */
  readonly failingFrom: number
}) => {
  const known = values.filter((value) => value !== null)
  const highest = Math.max(1, ...known)
  const start = Math.max(0, ((failingFrom - span.from) / (span.to - span.from)) * wide)
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <svg
        role="img"
        aria-label={t("Response times of the last hour: median {median}, longest {longest}", {
          median: millis(quantileOf(known, 0.5)!),
          longest: millis(highest)
        })}
        viewBox={`0 0 ${wide} ${high}`}
        preserveAspectRatio="none"
        className="h-12 w-full overflow-visible"
        focusable="false"
      >
        {start < wide && <rect x={start} width={wide - start} height={high} className="fill-(--tone) opacity-15" />}
        <path d={`M0 ${high}H${wide}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <path
          d={hourPath(values, highest)}
          className="fill-none stroke-ink"
          strokeWidth={1.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex justify-between gap-2 text-small text-soft" aria-hidden="true">
        <span>{t("Last hour")}</span>
        <span className="tabular-nums">{t("up to {longest}", { longest: millis(highest) })}</span>
      </figcaption>
    </figure>
  )
}
