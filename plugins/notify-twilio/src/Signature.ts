/**
 * Twilio's signature of its requests: an HMAC of the address and the sorted parameters. It is made with the auth token, or with a
 * shared key where a rule of the account says so, which a header then names. Pure.
 * @see https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export interface Signed {
  /** As Twilio was told it. */
  readonly url: string
  /** In any order; also those without a value. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
  readonly signature: string
  /** `X-Twilio-Webhooks-Signature-Settings`, such as `key=KS…,algorithm=HMAC_SHA256`; undefined: the auth token signs. */
  readonly settings: string | undefined
}

export interface SigningKeys {
  /** The auth tokens that count: the present one, and the one before while it is exchanged. */
  readonly tokens: ReadonlyArray<string>
  readonly sharedKey: string | undefined
}

/** The address as it is, and with or without the usual port: whether Twilio signs that differs between its products. */
const spellings = (url: string): ReadonlyArray<string> => {
  const start = url.indexOf("://") + 3
  const path = url.indexOf("/", start)
  if (start < 3 || path < 0) return [url]
  const authority = url.slice(start, path)
  const colon = authority.lastIndexOf(":")
  const usual = url.startsWith("https:") ? 443 : 80
  const other = colon < 0 || authority.endsWith("]") ? `${authority}:${usual}` : authority.slice(0, colon)
  return [url, `${url.slice(0, start)}${other}${url.slice(path)}`]
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The signed text. Values of one name count once each, and in order. */
const signedText = (url: string, parameters: Signed["parameters"]): string =>
  [...Map.groupBy(parameters, ([name]) => name)]
    .toSorted(([one], [other]) => order(one, other))
    .reduce((text, [name, all]) => {
      const values = [...new Set(all.map(([, value]) => value))].toSorted(order)
      return text + values.map((value) => `${name}${value}`).join("")
    }, url)

/** How a request is signed; undefined: in a way that is not known here. */
const methodOf = (settings: string | undefined, keys: SigningKeys) => {
  if (settings === undefined) return { algorithm: "sha1", secrets: keys.tokens }
  const algorithm = /(?:^|[,;\s])algorithm=([\w-]+)/i.exec(settings)?.[1]?.toUpperCase().replaceAll("-", "_")
  return algorithm === "HMAC_SHA256" && keys.sharedKey !== undefined
    ? { algorithm: "sha256", secrets: [keys.sharedKey] }
    : undefined
}

/** Whether one of the keys made the signature. Takes the same time wherever they differ. */
export const isSigned = ({ parameters, settings, signature, url }: Signed, keys: SigningKeys): boolean => {
  const method = methodOf(settings, keys)
  if (method === undefined) return false
  const given = Buffer.from(signature, "base64")
  return spellings(url)
    .flatMap((spelling) =>
      method.secrets.map((secret) =>
        createHmac(method.algorithm, secret).update(signedText(spelling, parameters)).digest()
      )
    )
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true)
}
