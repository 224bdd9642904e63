/** The values at one moment of a chart, in words, beside the crosshair. */
import { moment } from "../../locales/time.ts"
import type { Line, Mark } from "./series.ts"

/** Marks that cover a moment. */
const marksAt = (marks: ReadonlyArray<Mark>, at: number, step: number): ReadonlyArray<Mark> =>
  marks.filter(({ from, to }) => from < at + step && to > at)

interface ReadoutOf {
  readonly at: number
  readonly index: number
  readonly step: number
  readonly lines: ReadonlyArray<Line>
  readonly marks: ReadonlyArray<Mark>
  readonly format: (value: number) => string
}

const valueOf = ({ format, index }: ReadoutOf, { values }: Line): string => {
  const value = values[index] ?? null
  return value === null ? "–" : format(value)
}

/** For screen readers: one sentence. */
export const readoutWords = (of: ReadoutOf): string =>
  [
    moment(of.at * 1000),
    ...of.lines.map((line) => `${line.label} ${valueOf(of, line)}`),
    ...marksAt(of.marks, of.at, of.step).map(({ text }) => text)
  ].join(", ")

export const Readout = ({ left, isRight, ...of }: ReadoutOf & { readonly left: number; readonly isRight: boolean }) => (
  <div
    aria-hidden="true"
    className="pointer-events-none absolute top-3 z-10 max-w-64 rounded-lg border border-line bg-surface px-3 py-2 text-small text-ink shadow-[0_4px_16px_rgb(0_0_0/.12)]"
    style={{ left, transform: isRight ? "translateX(calc(-100% - 12px))" : "translateX(12px)" }}
  >
    <p className="whitespace-nowrap text-soft tabular-nums">{moment(of.at * 1000)}</p>
    {of.lines.map((line) => (
      <p key={line.label} className="flex items-center gap-2">
        <Swatch line={line} />
        <bdi className="min-w-0 flex-1 truncate">{line.label}</bdi>
        <span className="font-medium whitespace-nowrap tabular-nums">{valueOf(of, line)}</span>
      </p>
    ))}
    {marksAt(of.marks, of.at, of.step).map(({ from, text, tone }) => (
      <p
        key={`${from} ${text}`}
        className={`is-${tone === "incident" ? "degraded" : tone} mt-1 font-medium text-(--tone)`}
      >
        <bdi>{text}</bdi>
      </p>
    ))}
  </div>
)

/** The line as it is drawn. */
export const Swatch = ({ line: { colour, isBand, isDashed } }: { readonly line: Line }) => (
  <svg viewBox="0 0 12 8" className="h-2 w-3 shrink-0" aria-hidden="true">
    {isBand === true ? (
      <rect width="12" height="8" fill={`var(${colour})`} opacity="0.3" />
    ) : (
      <path
        d="M0 4h12"
        stroke={`var(${colour})`}
        strokeWidth="2.5"
        {...(isDashed === true ? { strokeDasharray: "3 2" } : {})}
      />
    )}
  </svg>
)
