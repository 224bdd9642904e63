/** The target of a monitor in short, without knowledge of its type. */

/** A monitor's record with the fields of any type. */
type Fields = Readonly<Record<string, unknown>>

/** Fields that say what is checked, for the types that have them; the first that a record has is its target. */
const targetFields = ["url", "host", "hostname", "server", "domain", "address", "target", "uri"]

/** An address without what most of them have: the scheme, and the slash of a site. */
export const shortened = (address: string): string =>
  address.replace(/^https?:\/\/([^/]+)\/$/, "$1").replace(/^https?:\/\//, "")

/** The scheme of an address, such as `https`; undefined where it has none. */
const schemeOf = (address: string): string | undefined =>
  /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(address)?.[1]?.toLowerCase()

/** What kind of monitor it is, in one word: its type, or the scheme of its target where that says more, as `https` does. */
export const kindOf = ({ scheme, type }: { readonly type: string; readonly scheme?: string }): string =>
  scheme?.startsWith(type) === true ? scheme : type

/** The address that a monitor checks, as it was entered. */
const addressOf = (monitor: Fields): string | undefined =>
  targetFields.map((field) => monitor[field]).find((value) => typeof value === "string")

/** The scheme of a monitor's target, for its summary. */
export const schemeIn = (address: string | null | undefined): { readonly scheme?: string } => {
  const scheme = address == null ? undefined : schemeOf(address)
  return scheme === undefined ? {} : { scheme }
}

/** The same from a record. */
export const recordedScheme = (monitor: Fields): { readonly scheme?: string } => schemeIn(addressOf(monitor))

/** Empty for monitors that wait for signals. */
export const targetOf = (monitor: Fields): string => {
  const address = addressOf(monitor)
  if (address === undefined || monitor["heartbeatUrl"] !== undefined) return ""
  const port = monitor["port"]
  return typeof port === "number" ? `${address}:${port}` : shortened(address)
}

/** The target as lists show it, which is what summaries have: without credentials and query. */
export const listedTargetOf = (monitor: Fields): string =>
  targetOf(monitor)
    .replace(/^[^/?#]*@/, "")
    .split(/[?#]/, 1)[0]!
    .replace(/^([^/]+)\/$/, "$1")
