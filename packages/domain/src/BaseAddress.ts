/**
 * The public address of an installation, and the path below which it is served. The path is removed from incoming
 * requests, so routes are declared as at the root of a host. Links back to the installation begin with its address.
 */
import { Result } from "effect"

/** The longest address that is accepted. */
const maximum = 2048

/** Segments that no proxy, browser or cookie writes in another way (RFC 3986, section 2.3: unreserved characters). */
const pathPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/

/**
 * Reads an address such as `https://example.org/kanmon`: the host in its canonical form, without trailing slashes. The failure
 * says in one sentence what to change. `apiPath` is where the API is below it: clients remove it from an address.
 */
export const read = (text: string, apiPath: string): Result.Result<string, string> => {
  if (text.length > maximum) return Result.fail(`Expected at most ${maximum} characters`)
  const [, rest] = /^https?:\/\/([^\s\\/][^\s\\]*)$/i.exec(text) ?? []
  if (rest === undefined || !URL.canParse(text))
    return Result.fail("Expected a URL that begins with http:// or https://")
  if (/[?#]/.test(rest)) return Result.fail("Expected an address without ? and #: leave out the query and the fragment")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "" || rest.split("/", 1)[0]!.includes("@"))
    return Result.fail("Expected an address without a user name and a password")
  const slash = rest.indexOf("/")
  const path = slash < 0 ? "" : rest.slice(slash)
  const plain = path.replace(/(?<!\/)\/+$/, "")
  if (!pathPattern.test(plain) || /\/\.\.?(?:\/|$)/.test(plain))
    return Result.fail(
      "Expected a path of letters, digits, - . _ ~ and single slashes, such as https://example.org/kanmon"
    )
  if (plain.endsWith(apiPath)) return Result.fail(`Expected the address without ${apiPath}, which Kanmon adds itself`)
  return Result.succeed(`${url.origin}${plain}`)
}

/** The path of an address, without a trailing slash: `/kanmon`, or nothing at the root of a host. */
export const pathOf = (address: string): string => {
  const { pathname } = new URL(address)
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname
}

/**
 * The target of a request (path and query) as the routes read it: without the path of the installation. Undefined when it lies
 * outside. The path itself is its root.
 */
export const below = (path: string, target: string): string | undefined => {
  if (path === "") return target
  if (!target.startsWith(path)) return undefined
  const rest = target.slice(path.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/** An address with a host of its own leads away from here, too. */
const elsewhere = "http://elsewhere.invalid"

/**
 * The path and query within the installation that an address names, as the routes read it; undefined for every other address.
 * The browser's own parser decides, so that no spelling (`//host`, `/\host`, a tab) leads elsewhere. An address that begins with
 * a slash is taken from the root of the installation.
 */
export const own = (address: string, installation: string): string | undefined => {
  const root = new URL(installation)
  const path = pathOf(installation)
  if (address.length > maximum || !URL.canParse(address, root.origin)) return undefined
  const url = new URL(address, root.origin)
  if (url.origin !== root.origin || url.username !== "" || url.password !== "") return undefined
  const target = `${url.pathname}${url.search}${url.hash}`
  const isRelative = URL.parse(address, elsewhere)?.origin === elsewhere
  const found = isRelative ? target : below(path, target)
  // A path may begin with two slashes, and would name a host when it stands alone.
  return found === undefined || found.startsWith("//") ? undefined : found
}
