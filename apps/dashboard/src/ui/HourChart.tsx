/** The response times of an hour as a small picture: a line with gaps where nothing answered, and the time in which it failed. */
import { millis } from "../locales/time.ts"
import { t } from "../locales/text.ts"
import { areaOf, dotsOf, high, type Minute, pathOf, stretchesOf, wide } from "./chart/hour.ts"
import { quantileOf, type Span } from "./chart/series.ts"
import type { Tone } from "./Status.tsx"

export const HourChart = ({
  failingFrom,
  span,
  tone,
  values
}: {
  /** The response time of each minute of the span; at least one is known. */
  readonly values: ReadonlyArray<Minute>
  readonly span: Span
  /** Since when it fails, in seconds. */
  readonly failingFrom: number
  /** The status of that time. */
  readonly tone: Tone
}) => {
  const known = values.filter((value) => typeof value === "number")
  const highest = Math.max(1, ...known)
  const stretches = stretchesOf(values, highest)
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
        className="h-16 w-full overflow-visible"
        focusable="false"
      >
        {start < wide && (
          <rect x={start} width={wide - start} height={high} className={`is-${tone} fill-(--tone) opacity-12`} />
        )}
        <path d={`M0 ${high}H${wide}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        <path d={stretches.map(areaOf).join("")} className="fill-ink opacity-8" />
        <path
          d={stretches.map(pathOf).join("")}
          className="fill-none stroke-ink"
          strokeWidth={1.5}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={dotsOf(stretches)}
          className="fill-none stroke-ink"
          strokeWidth={4}
          strokeLinecap="round"
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
