/* oxlint-disable kanmon/own-address -- the one place that knows where the installation is */
/** Where the installation is on its host. The code is in a folder directly below its path (in `src` while it is developed), so that one build serves every path. */

/** The path of the installation, without a slash at its end: `/kanmon`, or nothing at the root of a host. */
export const rootPath = new URL(import.meta.url).pathname.replace(/\/(assets|src\/browser)\/[^/]*$/, "")

/** The address of a path of the installation, for pages outside the dashboard and for a reload. */
export const addressOf = (path: "" | `/${string}`): string => location.origin + rootPath + path

/** The key under which this browser stores a value for this installation, apart from others on its host. */
export const storedAs = (name: string): string => name + rootPath
