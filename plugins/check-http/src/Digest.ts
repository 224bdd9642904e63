/**
 * HTTP digest access authentication (RFC 7616) as a client: MD5, SHA-256 and SHA-512-256, their session variants, and the
 * quality of protection `auth`; without one, as RFC 2069 has it. Pure.
 */
import { createHash } from "node:crypto"

const hashes: ReadonlyMap<string, string> = new Map([
  ["sha-512-256", "sha512-256"],
  ["sha-256", "sha256"],
  ["md5", "md5"]
])

/** A challenge that can be answered. */
export interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  /** As the server writes it; undefined when it does not name one, which means MD5. */
  readonly algorithm: string | undefined
  readonly qop: "auth" | undefined
  /** The nonce of the request before was too old; the credentials may be right. */
  readonly stale: boolean
  readonly userhash: boolean
}

export interface Answer {
  readonly method: string
  /** Path and query of the request. */
  readonly uri: string
  readonly username: string
  readonly password: string
  /** Chosen by the client, unpredictable. */
  readonly cnonce: string
  /** How often this nonce has been used, this time included. */
  readonly count: number
}

/** Longer headers, and more of them, are no challenge: a server chooses them. */
const longestHeader = 8192
const maxHeaders = 20

/**
 * The challenge to answer, of all in the `WWW-Authenticate` headers, in which a character is a byte: the strongest algorithm;
 * undefined without any.
 */
export const challengeOf = (headers: ReadonlyArray<string>): Challenge | undefined => {
  const bounded = headers.slice(0, maxHeaders)
  const usable = bounded.flatMap(challenges).flatMap(({ parameters, scheme }) => {
    if (scheme !== "digest") return []
    const algorithm = parameters.get("algorithm")?.slice(0, longestHeader)
    const nonce = parameters.get("nonce")
    const qops = parameters.get("qop")?.slice(0, longestHeader)
    const strength = [...hashes.keys()].indexOf(baseOf(algorithm))
    const offersAuth = qops === undefined || /(?:^|[\s,])auth(?:$|[\s,])/i.test(qops)
    if (nonce === undefined || strength < 0 || !offersAuth) return []
    const challenge: Challenge = {
      realm: parameters.get("realm") ?? "",
      nonce,
      opaque: parameters.get("opaque"),
      algorithm,
      qop: qops === undefined ? undefined : "auth",
      stale: parameters.get("stale")?.toLowerCase() === "true",
      userhash: parameters.get("userhash")?.toLowerCase() === "true"
    }
    return [{ strength, challenge }]
  })
  return usable.toSorted((one, other) => one.strength - other.strength)[0]?.challenge
}

/** The `Authorization` header that answers a challenge. */
export const authorization = (challenge: Challenge, answer: Answer): string => {
  const { algorithm, nonce, opaque, qop, realm, userhash } = challenge
  const { cnonce, count, method, password, uri, username } = answer
  const nc = count.toString(16).padStart(8, "0")
  const hash = (text: string): string =>
    createHash(hashes.get(baseOf(algorithm))!)
      .update(text, "latin1")
      .digest("hex")
  const secret = hash(`${bytesOf(username)}:${realm}:${bytesOf(password)}`)
  const isSession = /-sess$/i.test(algorithm ?? "")
  const a1 = isSession ? hash(`${secret}:${nonce}:${cnonce}`) : secret
  const a2 = hash(`${method}:${uri}`)
  const response = hash(qop === undefined ? `${a1}:${nonce}:${a2}` : `${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`)
  const parts = [
    userNameOf(userhash ? hash(`${bytesOf(username)}:${realm}`) : username),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nc}`]),
    ...(qop === undefined && !isSession ? [] : [`cnonce="${cnonce}"`]),
    ...(userhash ? ["userhash=true"] : [])
  ]
  return `Digest ${parts.join(", ")}`
}

/** The UTF-8 of a text: in what a server sends and gets back, a character is a byte. */
const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

const baseOf = (algorithm = "MD5"): string => algorithm.toLowerCase().replace(/-sess$/, "")

/** A name outside ASCII has its own notation (RFC 7616, section 3.4). */
const userNameOf = (username: string): string =>
  /^[\x20-\x7e]*$/.test(username)
    ? `username=${quoted(username)}`
    : `username*=UTF-8''${encodeURIComponent(username)
        .slice(0, 65_536)
        .replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`

const quoted = (text: string): string => `"${text.slice(0, longestHeader).replaceAll(/["\\]/g, String.raw`\$&`)}"`

interface SchemeWithParameters {
  readonly scheme: string
  readonly parameters: ReadonlyMap<string, string>
}

/** A token, optionally with a value: `Digest`, `realm="a"`, `nonce=b`. Linear: each alternative consumes. */
const part = /[\s,]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:\s*=\s*(?:"((?:\\[^]|[^"\\])*)"|([^\s",]+)))?/y

/** All challenges of one header (RFC 9110, section 11.6.1). */
const challenges = (header: string): ReadonlyArray<SchemeWithParameters> => {
  const found: Array<{ scheme: string; parameters: Map<string, string> }> = []
  if (header.length > longestHeader) return found
  part.lastIndex = 0
  for (let match = part.exec(header); match !== null; match = part.exec(header)) {
    const [, name = "", text, token] = match
    const value = text?.slice(0, longestHeader).replaceAll(/\\([^])/g, "$1") ?? token
    if (value === undefined) found.push({ scheme: name.toLowerCase(), parameters: new Map() })
    else found.at(-1)?.parameters.set(name.toLowerCase(), value)
  }
  return found
}
