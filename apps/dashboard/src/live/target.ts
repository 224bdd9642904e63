/** The target of a monitor in short, without knowledge of its type. */

/** A monitor's record with the fields of any type. */
type Fields = Readonly<Record<string, unknown>>

/** Fields that say what is checked, for the types that have them; the first that a record has is its target. */
const targetFields = ["url", "host", "hostname", "server", "domain", "address", "target", "uri"]

/** An address without what most of them have: the scheme, and the slash of a site. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/([^/]+)\/$/, "$1").replace(/^https?:\/\//, "")

/** Empty for monitors that wait for signals. */
export const targetOf = (monitor: Fields): string => {
  if (monitor["heartbeatUrl"] !== undefined) return ""
  for (const field of targetFields) {
    const value = monitor[field]
    if (typeof value !== "string") continue
    const port = monitor["port"]
    return typeof port === "number" ? `${value}:${port}` : shortened(value)
  }
  return ""
}

/** The target as lists show it, which is what summaries have: without credentials and query. */
export const listedTargetOf = (monitor: Fields): string =>
  targetOf(monitor)
    .replace(/^[^/?#]*@/, "")
    .split(/[?#]/, 1)[0]!
    .replace(/^([^/]+)\/$/, "$1")
