/** The period of the figures in the address, and what is asked for. Pure. */

export interface FiguresSearch {
  /** The last days, today among them; 30 if nothing is given. */
  readonly days?: 7 | 90
  /** An own range of days, both included: `2026-11-01`. */
  readonly from?: string
  readonly to?: string
}

const isDay = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value.slice(0, 20)) && Number.isFinite(Date.parse(value))

export const parseFiguresSearch = ({ days, from, to }: Record<string, unknown>): FiguresSearch => {
  if (isDay(from) && isDay(to)) return { from, to }
  return Number(days) === 7 ? { days: 7 } : Number(days) === 90 ? { days: 90 } : {}
}

/** The day of an instant in the reader's time zone. */
const dayOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-")

/** The first and the last day of a period. */
export const daysOf = (
  { days, from, to }: FiguresSearch,
  now: number
): { readonly from: string; readonly to: string } => {
  if (from !== undefined && to !== undefined) return { from, to }
  const first = new Date(now)
  first.setDate(first.getDate() - (days ?? 30) + 1)
  return { from: dayOf(first), to: dayOf(new Date(now)) }
}

/** Whole days in the reader's time zone, as the request has them. */
export const instantsOf = ({ from, to }: { readonly from: string; readonly to: string }) => ({
  from: new Date(`${from}T00:00:00`).toISOString(),
  to: new Date(`${to}T23:59:59.999`).toISOString()
})
