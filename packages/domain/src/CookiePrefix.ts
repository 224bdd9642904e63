/**
 * How the names of an installation's cookies begin. Browsers keep cookies for a host, whatever its port, and send them to every path:
 * two installations on one host would overwrite each other's sessions.
 */

/** Each other character becomes its number, so that two places never share a name. */
const plain = (text: string): string =>
  text.replaceAll(/[^0-9A-Za-z]/g, (character) => `_${character.codePointAt(0)!.toString(16)}`)

/**
 * The beginning for an address such as `https://kanmon.example.com`. Under https browsers accept a name with `__Host-` only from
 * this very host over https, so that no other host of the domain plants one (RFC 6265bis, section 4.1.3.2).
 */
export const cookiePrefix = (baseUrl: string): string => {
  const { pathname, port, protocol } = new URL(baseUrl)
  const path = plain(pathname.replaceAll(/^\/|\/$/g, ""))
  const place = path === "" ? (port === "" ? "" : `-${port}`) : `-${port}-${path}`
  return `${protocol === "https:" ? "__Host-" : ""}kanmon${place}`
}
