/**
 * The response to a failed check, for people who look for the reason. Secrets do not leave the probe: cookies and
 * credentials in headers, and every value that the monitor's own request contains, are masked everywhere.
 */
import { type Capture, maxHeaders } from "@kanmon/domain/Capture"
import { escapeHtml } from "@kanmon/domain/EscapeHtml"
import { Effect } from "effect"
import * as BodyText from "./BodyText.ts"
import type { Response } from "./Exchange.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import type { Hop } from "./Redirect.ts"
import * as SecretMask from "./SecretMask.ts"

export type { Capture } from "@kanmon/domain/Capture"

/** Bytes of a body that are received for a capture: compressed, they are usually more than is kept. */
export const receivedBytes = 16 * 1024
/** Characters of the text that are searched for secrets: one that begins within the kept part may end behind it. */
const searched = 16 * 1024
/** The same for a header. */
const searchedOfHeader = 2048

/** The capture of a response; without one, of a connection to an address. */
export const of = (
  config: HttpConfig,
  first: Hop,
  url: URL,
  response: Response | undefined,
  address = response?.connection.address
): Effect.Effect<Capture> =>
  Effect.suspend((): Effect.Effect<Capture> => {
    const secrets = secretsOf(config, first)
    const base = { finalUrl: secrets.hide(shownUrl(url)), remoteAddress: address ?? null }
    if (response === undefined)
      return Effect.succeed({ ...base, statusLine: null, headers: [], body: null, bodyTruncated: false })
    const { body, cut, headers, status, statusText } = response
    const head = { ...response, body: body.subarray(0, receivedBytes), cut: cut || body.length > receivedBytes }
    // A body that does not have the encoding it claims is shown as it is.
    return Effect.map(
      Effect.catch(BodyText.read(head), () => Effect.succeed(head.body.toString("utf8"))),
      (text) => ({
        ...base,
        statusLine: secrets.hide(`${status} ${statusText.slice(0, searchedOfHeader)}`.trim()),
        headers: shownHeaders(headers, secrets),
        body: (head.cut ? secrets.hideCut : secrets.hide)(text.slice(0, searched)),
        bodyTruncated: head.cut || text.length > searched
      })
    )
  })

/** A message about a response, without the secrets that the response may repeat. */
export const hidden = (config: HttpConfig, first: Hop, message: string): string =>
  secretsOf(config, first).hide(message)

/** Request headers that say nothing that a server does not also say. */
const harmless =
  /^(accept(-.*)?|cache-control|connection|content-type|content-language|dnt|host|origin|pragma|range|te|upgrade-insecure-requests|user-agent|via)$/i

/** Headers of an answer that are credentials, or name one. */
const confidential =
  /^(set-cookie2?|cookie|authorization|proxy-authorization|(proxy-)?authentication-info)$|(^|[-_])(token|secret|password|passwd|api-?key|session(-?id)?|credentials?|signature|auth|otp|csrf|xsrf)([-_]|$)/i

const shownHeaders = (headers: Response["headers"], { hide, hideCut }: SecretMask.SecretMask): Capture["headers"] => {
  const shown: Array<Capture["headers"][number]> = []
  for (const [name, values] of Object.entries(headers))
    for (const value of values) {
      if (shown.length === maxHeaders) return shown
      shown.push({
        name: name.slice(0, searchedOfHeader),
        value: shownValue(name, value, value.length > searchedOfHeader ? hideCut : hide)
      })
    }
  return shown
}

const shownValue = (name: string, value: string, hide: (text: string) => string): string => {
  // No name that a person chose is so long.
  if (name.length > 200 || confidential.test(name)) return SecretMask.mask
  const text = value.slice(0, searchedOfHeader)
  return hide(name === "location" || name === "content-location" ? shownLink(text) : text)
}

/** A URL without user information and without the values of its query, which may be tokens. */
const shownUrl = (url: URL): string => {
  const names = [...url.searchParams.keys()].map(
    (name) => `${encodeURIComponent(name.toWellFormed())}=${SecretMask.mask}`
  )
  return `${url.origin}${url.pathname}${names.length === 0 ? "" : `?${names.join("&")}`}`
}

const shownLink = (text: string): string => {
  if (URL.canParse(text)) return shownUrl(new URL(text))
  // Relative: only what comes before the query.
  const query = text.search(/[?#]/)
  return query < 0 ? text : `${text.slice(0, query)}?${SecretMask.mask}`
}

/** Every value of the monitor's request that may be secret, in the forms in which a server may repeat it. */
const secretsOf = (config: HttpConfig, first: Hop): SecretMask.SecretMask => {
  let secrets = known.get(config)
  if (secrets === undefined) known.set(config, (secrets = SecretMask.make(findSecrets(config, first))))
  return secrets
}

const known = new WeakMap<HttpConfig, SecretMask.SecretMask>()

/** Values that no name declares to be secret count from this length on. */
const longEnough = 8

/** A name that says that its value is secret, and the others. */
const isSecret = (name: string, value: string): boolean => value.length >= longEnough || confidential.test(name)

const findSecrets = (config: HttpConfig, { body, headers, url }: Hop): ReadonlyArray<string> => {
  const { clientKeyPassphrase = "", password = "", token = "", username = "" } = config
  const inUrl = [unescaped(url.username), unescaped(url.password)]
  const values = [
    password,
    token,
    clientKeyPassphrase,
    ...inUrl,
    ...(username === "" ? [] : [username, `${username}:${password}`]),
    ...Object.entries(headers).flatMap(([name, value]) =>
      harmless.test(name) ? [] : [value, ...value.split(/[\s,;=]+/).filter((part) => part.length >= longEnough)]
    ),
    ...[...url.searchParams].flatMap(([name, value]) => (isSecret(name, value) ? [value] : [])),
    ...(body === undefined ? [] : [body, ...valuesIn(body)])
  ]
  return values.flatMap((value) =>
    value.length < SecretMask.shortest
      ? []
      : [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1), escapeHtml(value)]
  )
}

/** The texts in a body of JSON or of a form. */
const valuesIn = (body: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    for (const [name, value] of new URLSearchParams(body)) if (isSecret(name, value)) found.push(value)
    return found
  }
  // No recursion: a body may be nested deeper than the stack.
  const rest: Array<readonly [name: string, value: unknown]> = [["", json]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [name, value] = next
    if (typeof value === "string") {
      if (isSecret(name, value)) found.push(value)
    } else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) rest.push([Array.isArray(value) ? name : key, inner])
  }
  return found
}

/** A stray percent sign in a password is taken literally. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
