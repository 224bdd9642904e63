/** Hours of the week as rows of a form. Pure. */
import type { WeeklyWindow } from "@kanmon/domain/WeeklyWindows"

export type Hours = typeof WeeklyWindow.Encoded

/** With an identity, by which React keeps what is typed when others are removed. */
export type Keyed<A> = A & { readonly key: number }

export type HoursDraft = Keyed<Hours>

export const keyed = <A extends object>(items: ReadonlyArray<A>): ReadonlyArray<Keyed<A>> =>
  items.map((item, key) => ({ ...item, key }))

export const unkeyed = ({ from, to, weekdays }: HoursDraft): Hours => ({ weekdays, from, to })
