/** The period of the figures in the address. Pure. */

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
