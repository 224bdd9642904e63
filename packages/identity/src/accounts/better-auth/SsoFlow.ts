/** Parts of every sign-in through an identity provider: unguessable values, and the cookie that ties a sign-in to one browser. */
import { createHash, randomBytes } from "node:crypto"

/** How long a person may take at the identity provider, in seconds. */
export const patience = 600

/** An unguessable value. */
export const randomValue = (): string => randomBytes(32).toString("base64url")

const valuePattern = /^[A-Za-z0-9_-]{43}$/

/** The cookie that ties sign-ins to a browser. */
export interface BrowserCookie {
  readonly name: string
  readonly path: string
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
export const browserCookie = (value: string, { name, path, secure }: BrowserCookie): string =>
  `${name}=${value}; Path=${path}; Max-Age=${patience}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`

/**
 * A value that the confirmation page shows only to the browser that started the sign-in, so that other sites cannot
 * forge the link.
 */
export const confirmationOf = (browser: string): string =>
  createHash("sha256").update(`begin ${browser}`).digest("base64url")
