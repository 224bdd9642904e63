/** The addresses of the API and the methods that each knows. */
import { basePath } from "./BasePath.ts"
import { endpoints } from "./internal/Endpoints.ts"

/** What an address looks like, with or without a slash at its end. */
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, "").replaceAll(/\{[^{}]+\}/g, "[^/]+")}/?$`)

const inApi = [...endpoints.values()].filter(({ path }) => path === "/" || path.startsWith(basePath))

const known = [...Map.groupBy(inApi, ({ path }) => path)]
  // An address that is written out is none of a pattern's.
  .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
  .map(([path, all]) => ({ path, pattern: pattern(path), methods: all.map(({ method }) => method.toUpperCase()) }))

/** The path of the contract that an address belongs to, with its parameters by name. */
export const routeOf = (path: string): string | undefined => known.find((route) => route.pattern.test(path))?.path

/** The methods of an address of the API; none when there is nothing at the address. */
export const methodsOf = (path: string): ReadonlyArray<string> =>
  known.find((route) => route.pattern.test(path))?.methods ?? []
