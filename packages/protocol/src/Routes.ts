/** Finds the endpoint of an address with the router's own matcher, so that both interpret addresses the same way. */
import { FindMyWay } from "effect/http"
import { type Endpoint, endpoints } from "./internal/Endpoints.ts"
import { type Serving, usual } from "./Serving.ts"

const all = [...endpoints.values()]

/** The pattern of a path, without a slash at its end. */
const pattern = (path: string): `/${string}` =>
  `/${path
    .slice(1)
    .replace(/\/$/, "")
    .replaceAll(/\{(\w+)\}/g, ":$1")}`

const byMethod = FindMyWay.make<Endpoint>()
for (const endpoint of all) byMethod.on(endpoint.method.toUpperCase(), pattern(endpoint.path), endpoint)

interface Place {
  readonly path: string
  readonly endpoints: ReadonlyArray<Endpoint>
}

const places = FindMyWay.make<Place>()
for (const [path, here] of Map.groupBy(all, (endpoint) => pattern(endpoint.path)))
  places.on("GET", path, { path: here[0]!.path, endpoints: here })

const isAlike = (one: Serving, other: Serving): boolean => JSON.stringify(one) === JSON.stringify(other)

/** How everything in a folder is served, where it is served alike and not as usual. */
const folders: ReadonlyArray<readonly [folder: string, Serving]> = [
  ...new Set(all.map(({ path }) => `${path.replace(/\/$/, "").replace(/\/[^/]*$/, "")}/`))
].flatMap((folder) => {
  const [first, ...others] = all.filter(({ path }) => path.startsWith(folder)).map(({ serving }) => serving)
  return folder === "/" || first === undefined || isAlike(first, usual) || !others.every((one) => isAlike(first, one))
    ? []
    : [[folder, { ...first, bodyLimit: usual.bodyLimit, reach: usual.reach }]]
})

/** How a request is served: as its endpoint declares, and elsewhere as everything else in the same folder, or as usual. */
export const servingOf = (method: string, path: string): Serving =>
  byMethod.find(method === "HEAD" ? "GET" : method, path)?.handler.serving ??
  folders.find(([folder]) => path.startsWith(folder))?.[1] ??
  usual

/** The first name of an address, up to a length that no root has. */
const firstOf = (path: string): string => (path.slice(0, 100).split("/", 2)[1] ?? "").toLowerCase()

/** The first names of all addresses but the root's. */
const roots: ReadonlySet<string> = new Set(all.map(({ path }) => firstOf(path)).filter((name) => name !== ""))

/** Whether an address lies where the contract has all addresses, such as everything below `/api`. */
export const isBelowRoots = (path: string): boolean => roots.has(firstOf(path))

/** The path of the contract that an address belongs to, with its parameters by name. */
export const routeOf = (path: string): string | undefined => places.find("GET", path)?.handler.path

/** The methods of an address; none when there is nothing at the address. */
export const methodsOf = (path: string): ReadonlyArray<string> =>
  places.find("GET", path)?.handler.endpoints.map(({ method }) => method.toUpperCase()) ?? []
