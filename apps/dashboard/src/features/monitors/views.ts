/** Filters and order under a name, kept in this browser. */
import { type ListSearch, parseListSearch } from "./listSearch.ts"

export interface View {
  readonly name: string
  readonly search: ListSearch
}

export const isViews = (value: unknown): value is ReadonlyArray<View> =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      typeof each === "object" && each !== null && typeof each.name === "string" && typeof each.search === "object"
  )

/** The search of a view, without fields that this version does not know. */
export const searchOf = ({ search }: View): ListSearch => parseListSearch({ ...search })

const textOf = (search: ListSearch): string =>
  JSON.stringify(Object.entries(parseListSearch({ ...search })).filter(([, value]) => value !== undefined))

export const isSameView = (one: ListSearch, other: ListSearch): boolean => textOf(one) === textOf(other)
