/**
 * The cookies of one check (RFC 6265). Cookies that a server sets are sent along the following redirects, because
 * portals check for their own cookie. Every check begins without cookies.
 * ¶ Public suffixes are not known here: a server that sets a cookie for one also chooses where its redirect leads, so
 * the next host learns nothing that the redirect could not have said.
 */
import { upTo } from "@kanmon/domain/BoundedText"
import { isIP } from "node:net"

/** Bounds of what one check keeps. Browsers keep 50 cookies of a domain, of 4 KiB each. */
const maxCookies = 50
const maxLength = 4096
const maxHeader = 16_384

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** Whether it is sent to the host alone that set it. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
}

export type Jar = ReadonlyArray<Cookie>

export const none: Jar = []

const isSecure = (url: URL): boolean => url.protocol === "https:"

const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/\.$/, "")

/** The jar after a response. Cookies that are malformed or set for other hosts are ignored. */
export const received = (jar: Jar, url: URL, fields: ReadonlyArray<string>, now: number): Jar => {
  let cookies = jar
  for (const field of fields.slice(0, maxCookies)) {
    const found = parse(field, url, now)
    if (found === undefined) continue
    const { cookie, gone } = found
    // A plain answer must not replace what a secure one set.
    if (!isSecure(url) && cookies.some((one) => one.secure && isSame(one, cookie))) continue
    cookies = cookies.filter((one) => !isSame(one, cookie))
    if (!gone) cookies = [...cookies, cookie].slice(-maxCookies)
  }
  return cookies
}

const isSame = (one: Cookie, other: Cookie): boolean =>
  one.name === other.name && one.domain === other.domain && one.path === other.path

const parse = (
  field: string,
  url: URL,
  now: number
): { readonly cookie: Cookie; readonly gone: boolean } | undefined => {
  if (field.length > maxLength || /\p{Cc}/u.test(field)) return undefined
  const [pair = "", ...rest] = field.split(";")
  const [name, value] = split(pair)
  if (value === undefined || name === "") return undefined
  const attributes = new Map(
    rest.map((part) => {
      const [key, text = ""] = split(part)
      return [key.toLowerCase(), text] as const
    })
  )
  const host = hostOf(url)
  const wanted = (attributes.get("domain") ?? "").slice(0, maxLength).replace(/^\./, "").toLowerCase()
  const hostOnly = wanted === "" || wanted === host
  if (!hostOnly && !(wanted.includes(".") && within(host, wanted))) return undefined
  const path = attributes.get("path") ?? ""
  const cookie: Cookie = {
    name,
    value,
    domain: wanted === "" ? host : wanted,
    hostOnly: !wanted.includes(".") || isIP(host.replace(/^\[|\]$/g, "")) !== 0,
    path: path.startsWith("/") ? path : defaultPath(url),
    secure: attributes.has("secure")
  }
  return admitted(cookie, url) ? { cookie, gone: isGone(attributes, now) } : undefined
}

/** Prefixes promise how a cookie was set (RFC 6265bis, section 4.1.3). */
const admitted = ({ hostOnly, name, path, secure }: Cookie, url: URL): boolean => {
  if (secure && !isSecure(url)) return false
  if (/^__Secure-/i.test(name.slice(0, 16))) return secure
  return /^__Host-/i.test(name.slice(0, 16)) ? secure && hostOnly && path === "/" : true
}

/** The text before and after the first equals sign, without blanks. */
const split = (text: string): readonly [name: string, value?: string] => {
  const at = text.indexOf("=")
  return at < 0 ? [text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

const isGone = (attributes: ReadonlyMap<string, string>, now: number): boolean => {
  const age = attributes.get("max-age")
  if (age !== undefined && /^-?\d+$/.test(upTo(age, 64))) return Number(age) <= 0
  const until = Date.parse(attributes.get("expires") ?? "")
  return until <= now
}

const defaultPath = ({ pathname }: URL): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf("/")))

/** Whether a host is the domain, or below it (section 5.1.3). Addresses have nothing below them. */
const within = (host: string, domain: string): boolean =>
  host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0 && !host.startsWith("["))

/** Whether a request's path is the cookie's, or below it (section 5.1.4). */
const below = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith("/") || pathname[path.length] === "/"))

/** The cookies for a request, those with longer paths first (section 5.4). */
export const sentTo = (jar: Jar, url: URL): ReadonlyArray<Cookie> => {
  const host = hostOf(url)
  return jar
    .filter(
      ({ domain, hostOnly, path, secure }) =>
        (hostOnly ? host === domain : within(host, domain)) && below(url.pathname, path) && (!secure || isSecure(url))
    )
    .toSorted((one, other) => other.path.length - one.path.length)
}

/** The headers of a request with the jar's cookies. Cookies that the monitor sends itself stay, unless the server replaced them. */
export const sent = (
  jar: Jar,
  url: URL,
  headers: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  const found = sentTo(jar, url)
  if (found.length === 0) return headers
  const replaced = new Set(found.map(({ name }) => name))
  const field = Object.keys(headers).find((name) => name.toLowerCase() === "cookie") ?? "cookie"
  const own = (headers[field] ?? "")
    .slice(0, 65_536)
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !replaced.has(split(pair)[0]))
  let length = own.join("; ").length
  const added = found
    .map(({ name, value }) => `${name}=${value}`)
    .filter((pair) => (length += pair.length + 2) <= maxHeader)
  return { ...headers, [field]: [...own, ...added].join("; ") }
}
