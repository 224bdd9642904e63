/**
 * The prefix of an installation's cookie names, and their path. Browsers ignore the port of a host for cookies, so two
 * installations on one host would overwrite each other's sessions.
 */
import * as BaseAddress from "./BaseAddress.ts"

/** Each other character becomes its number, so that two places never share a name. */
const plain = (text: string): string =>
  text.replaceAll(/[^0-9A-Za-z]/g, (character) => `_${character.codePointAt(0)!.toString(16)}`)

/**
 * The beginning for an address such as `https://kanmon.example.com`. Under https browsers accept a name with `__Host-` only from
 * this very host over https, so that no other host of the domain plants one (RFC 6265bis, section 4.1.3.2).
 */
export const cookiePrefix = (baseUrl: string): string => {
  const { port, protocol } = new URL(baseUrl)
  const path = plain(BaseAddress.pathOf(baseUrl).slice(1))
  const place = path === "" ? (port === "" ? "" : `-${port}`) : `-${port}-${path}`
  return `${protocol === "https:" ? "__Host-" : ""}kanmon${place}`
}

/**
 * The `Path` of the cookies of an address. Names with `__Host-` demand `/`: that no other host plants a cookie protects more than
 * a path does, since all pages of a host are of one origin.
 */
export const cookiePath = (baseUrl: string): string =>
  baseUrl.startsWith("https:") ? "/" : BaseAddress.pathOf(baseUrl) || "/"
