/**
 * Parts of every sign-in through an identity provider: unguessable values, the cookie that ties a sign-in to one browser, and
 * where the browser may be sent afterwards.
 */
import { createHash, randomBytes } from "node:crypto"

/** How long a person may take at the identity provider, in seconds. */
export const patience = 600

/** A value that nobody can guess. */
export const randomValue = (): string => randomBytes(32).toString("base64url")

const valuePattern = /^[A-Za-z0-9_-]{43}$/

/** The cookie that ties sign-ins to a browser. */
export interface BrowserCookie {
  readonly name: string
  /** Whether the installation is at an address with https. */
  readonly secure: boolean
}

/** The value that this browser got; undefined when it has none. */
export const browserOf = (headers: Headers, cookie: BrowserCookie): string | undefined => {
  const name = `${cookie.name}=`
  const value = (headers.get("cookie") ?? "")
    .split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
    ?.slice(name.length)
  return value !== undefined && valuePattern.test(value) ? value : undefined
}

/** Sets the cookie. Lax: it is sent when the identity provider leads back to us, and with no other request of another site. */
export const browserCookie = (value: string, { name, secure }: BrowserCookie): string =>
  `${name}=${value}; Path=/; Max-Age=${patience}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`

/** What the page that begins a sign-in tells only the browser that it was shown to: no other site can make a link with it. */
export const confirmationOf = (browser: string): string =>
  createHash("sha256").update(`begin ${browser}`).digest("base64url")

/**
 * The path of this installation that an address names; undefined for every other address. The browser's own parser decides, so
 * that no spelling (`//host`, `/\host`, a tab) leads elsewhere.
 */
export const ownPath = (address: string, origin: string): string | undefined => {
  if (address.length > 2048 || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  if (url.origin !== origin || url.username !== "" || url.password !== "") return undefined
  const path = `${url.pathname}${url.search}${url.hash}`
  // A path may begin with two slashes, and would name a host when it stands alone.
  return path.startsWith("//") ? undefined : path
}
