/**
 * What the target answered to a check that failed, for people who look for the reason. Secrets do not leave the probe:
 * cookies and credentials in headers, and every value that the monitor's own request contains, are masked wherever they are.
 */
import type { Capture } from "@kanmon/domain/Capture"
import { escapeHtml } from "@kanmon/domain/EscapeHtml"
import { Effect } from "effect"
import * as BodyText from "./BodyText.ts"
import type { Response } from "./Exchange.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import type { Hop } from "./Redirect.ts"

export type { Capture } from "@kanmon/domain/Capture"

/** Bytes of a body that are received for a capture: compressed, they are usually more than is kept. */
export const receivedBytes = 16 * 1024
/** Characters of the text that are searched for secrets: one that begins within the kept part may end behind it. */
const searched = 16 * 1024
/** Shorter values are in any text. */
const shortestSecret = 4
/** Longer ones are searched for in pieces, so that the time it takes is bounded. */
const longestSecret = 500
const maxSecrets = 100

const mask = "••••"

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
    const hide = (shown: string): string => hidden(shown, secrets)
    const base = { finalUrl: hide(shownUrl(url)), remoteAddress: address ?? null }
    if (response === undefined)
      return Effect.succeed({ ...base, statusLine: null, headers: [], body: null, bodyTruncated: false })
    const { body, cut, headers, status, statusText } = response
    const head = { ...response, body: body.subarray(0, receivedBytes), cut: cut || body.length > receivedBytes }
    // A body that does not have the encoding it claims is shown as it is.
    return Effect.map(
      Effect.catch(BodyText.read(head), () => Effect.succeed(head.body.toString("utf8"))),
      (text) => {
        const shown = hide(text.slice(0, searched))
        return {
          ...base,
          statusLine: hide(`${status} ${statusText}`.trim()),
          headers: shownHeaders(headers, hide),
          body: head.cut ? withoutBeginning(shown, secrets) : shown,
          bodyTruncated: head.cut || text.length > searched
        }
      }
    )
  })

/** Request headers that say nothing that a server does not also say. */
const harmless =
  /^(accept(-.*)?|cache-control|connection|content-type|content-language|dnt|host|origin|pragma|range|te|upgrade-insecure-requests|user-agent|via)$/i

/** Headers of an answer that are credentials, or name one. */
const confidential =
  /^(set-cookie2?|cookie|authorization|proxy-authorization|(proxy-)?authentication-info)$|(^|[-_])(token|secret|password|passwd|api-?key|session(-?id)?|credentials?|signature|auth|otp|csrf|xsrf)([-_]|$)/i

const shownHeaders = (headers: Response["headers"], hide: (text: string) => string): Capture["headers"] =>
  Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => ({
      name,
      value: confidential.test(name) ? mask : hide(/^(content-)?location$/i.test(name) ? shownLink(value) : value)
    }))
  )

/** A URL without user information, and without the values of its query: those may be tokens. */
const shownUrl = (url: URL): string => {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${mask}`)
  return `${url.origin}${url.pathname}${names.length === 0 ? "" : `?${names.join("&")}`}`
}

const shownLink = (text: string): string => {
  if (URL.canParse(text)) return shownUrl(new URL(text))
  // Relative: only what comes before the query.
  const query = text.search(/[?#]/)
  return query < 0 ? text : `${text.slice(0, query)}?${mask}`
}

/** Every value of the monitor's request that may be secret, in the forms in which a server may repeat it, longest first. */
const secretsOf = (config: HttpConfig, first: Hop): ReadonlyArray<string> => {
  let secrets = known.get(config)
  if (secrets === undefined) known.set(config, (secrets = findSecrets(config, first)))
  return secrets
}

const known = new WeakMap<HttpConfig, ReadonlyArray<string>>()

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
    ...[...url.searchParams.values()].filter((value) => value.length >= longEnough),
    ...(body === undefined ? [] : [body, ...valuesIn(body)])
  ]
  const forms = values.flatMap((value) =>
    value.length < shortestSecret
      ? []
      : [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1), escapeHtml(value)]
  )
  return [...new Set(forms.flatMap(pieces))].sort((one, other) => other.length - one.length).slice(0, maxSecrets)
}

const pieces = (secret: string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(secret.length / longestSecret) }, (_, index) =>
    secret.slice(index * longestSecret, (index + 1) * longestSecret)
  ).filter((piece) => piece.length >= shortestSecret)

/** Parts of a value, and values without a name that says that they are secret, count from this length on. */
const longEnough = 8
const maxValues = 200

/** The texts in a body of JSON or of a form. */
const valuesIn = (body: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const collect = (value: unknown): void => {
    if (found.length >= maxValues) return
    if (typeof value === "string") found.push(value)
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect)
  }
  try {
    collect(JSON.parse(body))
  } catch {
    found.push(...[...new URLSearchParams(body).values()].slice(0, maxValues))
  }
  return found.filter((value) => value.length >= longEnough)
}

/** A stray percent sign in a password is taken literally. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const hidden = (text: string, secrets: ReadonlyArray<string>): string => {
  let shown = text
  for (const secret of secrets) if (shown.includes(secret)) shown = shown.replaceAll(secret, mask)
  return shown
}

/** Masks the beginning of a secret at the end of a text that was cut. */
const withoutBeginning = (text: string, secrets: ReadonlyArray<string>): string => {
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length >= shortestSecret; length--)
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${mask}`
  return text
}
