/**
 * Asks registries by RDAP when the registration of a domain ends (RFC 9082, 9083; bootstrap: RFC 9224). One request at a time
 * for each registry, and none while it throttles. Caching and retries are the caller's task. WHOIS is not supported.
 */
import { isIP } from "node:net"
import { domainToASCII } from "node:url"
import * as JsonText from "@kanmon/core/JsonText"
import { Dialer } from "@kanmon/core/Dialer"
import { retryAfter } from "@kanmon/core/HttpDelivery"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import * as KeyedPermits from "@kanmon/core/KeyedPermits"
import { oneLine, truncate } from "@kanmon/core/NoticeText"
import { upTo } from "@kanmon/domain/BoundedText"
import { dayMillis, type EpochMillis, Timestamp } from "@kanmon/domain/Timestamp"
import { Clock, Context, Data, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { parse as parseHost } from "tldts"

/** The published facts about a domain. */
export interface Registration {
  /** Null when the registry does not publish it: unknown, not expired. */
  readonly expiresAt: EpochMillis | null
  readonly registrar: string | null
}

/** The registry of this name has no RDAP. */
export class Unsupported extends Data.TaggedError("Unsupported")<{ readonly domain: string }> {}

/** The registry does not know the domain. */
export class NotRegistered extends Data.TaggedError("NotRegistered")<{ readonly domain: string }> {}

/** The registry must not be asked for so many seconds. */
export class Throttled extends Data.TaggedError("Throttled")<{ readonly retryAfter: number }> {}

/** No answer, or an unreadable one. `detail` is one sentence. */
export class Failed extends Data.TaggedError("Failed")<{ readonly detail: string }> {}

export type RdapError = Unsupported | NotRegistered | Throttled | Failed

export class Rdap extends Context.Service<
  Rdap,
  {
    /** Looks a registrable domain up, as {@link registrableDomain} gives it. */
    readonly lookup: (domain: string) => Effect.Effect<Registration, RdapError>
  }
>()("@kanmon/monitoring/domain-registrations/Rdap") {
  static readonly layer = (settings: RdapSettings = {}): Layer.Layer<Rdap, never, Dialer> =>
    Layer.effect(Rdap, make(settings))
}

export interface RdapSettings {
  /** Address of the file that names the registries' servers (RFC 9224). Default: the one of IANA. */
  readonly bootstrapUrl?: string
}

const iana = "https://data.iana.org/rdap/dns.json"

/** How long the bootstrap file is valid, and how soon a failed download is retried. */
const bootstrapTtl = 7 * dayMillis
const bootstrapRetry = 3_600_000

/** Bytes of an answer about a domain; real ones have some 10 kB. */
const answerLimit = 256 * 1024
/** Bytes of the bootstrap file, which has some 100 kB. */
const bootstrapLimit = 512 * 1024
/** Items of a list that are read; real ones have some ten. */
const maxItems = 1000
const patience = "15 seconds"
const redirects = 3

/** Seconds to wait when a throttling registry does not say how long. */
const defaultRetryAfter = 300
/** A longer date is none; a longer address of a server is not used. */
const longestDate = 64
const longestAddress = 2048

/**
 * The name that is registered and paid for: `example.co.uk` of `www.example.co.uk`. Undefined for addresses, for names
 * outside the public DNS, and below the suffixes of private parties: `github.io` is not its users' to renew.
 */
export const registrableDomain = (hostname: string): string | undefined => {
  const ascii = domainToASCII(upTo(hostname, 255).replace(/\.$/, ""))
  if (ascii === "" || isIP(hostname) !== 0 || isIP(ascii) !== 0) return undefined
  const { domain, isIcann } = parseHost(ascii, { allowPrivateDomains: true, extractHostname: false })
  return domain !== null && isIcann === true ? domain : undefined
}

const Event = Schema.Struct({ eventAction: Schema.String, eventDate: Schema.String })
const Entity = Schema.Struct({
  roles: Schema.Array(Schema.String),
  vcardArray: Schema.Tuple([Schema.Literal("vcard"), Schema.Array(Schema.Unknown)])
})
/** A line of a jCard (RFC 7095): name, parameters, type, value. */
const Line = Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.Unknown, Schema.String, Schema.Unknown]), [
  Schema.Unknown
])
const RdapDocument = Schema.Struct({
  errorCode: Schema.optionalKey(Schema.Undefined),
  events: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  entities: Schema.optionalKey(Schema.Array(Schema.Unknown))
})

const decodeDocument = Schema.decodeUnknownOption(RdapDocument)
const asTimestamp = Schema.decodeUnknownOption(Timestamp)

/** The valid items of a list. Registries differ, and one invalid item must not hide the date. */
const only = <A>(decode: (input: unknown) => Option.Option<A>, list: ReadonlyArray<unknown> = []): ReadonlyArray<A> =>
  list.slice(0, maxItems).flatMap((item) => Option.toArray(decode(item)))

/** Reads a registry's answer; undefined when it is none about a domain. */
export const parseRegistration = (json: unknown): Registration | undefined => {
  const answer = Option.getOrUndefined(decodeDocument(json))
  if (answer === undefined) return undefined
  if (answer.events === undefined && answer.entities === undefined) return undefined
  const ends = only(Schema.decodeUnknownOption(Event), answer.events)
    .filter(({ eventAction }) => eventAction.trim().toLowerCase() === "expiration")
    .flatMap(({ eventDate }) => Option.toArray(asTimestamp(zoned(eventDate))))
  const registrar = only(Schema.decodeUnknownOption(Entity), answer.entities).find(({ roles }) =>
    roles.some((role) => role.toLowerCase() === "registrar")
  )
  return {
    // The earlier date is the safe one.
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
    registrar: registrar === undefined ? null : nameOf(registrar.vcardArray[1])
  }
}

/** RFC 3339 wants a zone; where a registry forgets it, UTC is meant. */
const zoned = (text: string): string => {
  const date = upTo(text, longestDate).trim().toUpperCase().replace(" ", "T")
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return `${date}T00:00:00Z`
  return /T[\d:.]+$/.test(date) ? `${date}Z` : date
}

const nameOf = (card: ReadonlyArray<unknown>): string | null => {
  const lines = only(Schema.decodeUnknownOption(Line), card)
  const texts = ["fn", "org"].flatMap((wanted) =>
    lines.flatMap(([name, , , value]) => (name === wanted && typeof value === "string" ? [oneLine(value)] : []))
  )
  const name = texts.find((text) => text !== "")
  return name === undefined ? null : truncate(name, 200)
}

const Bootstrap = Schema.Struct({
  services: Schema.Array(Schema.Tuple([Schema.Array(Schema.String), Schema.Array(Schema.String)]))
})
const asBootstrap = Schema.decodeUnknownOption(Bootstrap)

/** From a suffix to the address of its registry's server, with a slash at the end. */
type Servers = ReadonlyMap<string, URL>

const parseBootstrap = (json: unknown): Servers | undefined => {
  const bootstrap = Option.getOrUndefined(asBootstrap(json))
  return bootstrap === undefined
    ? undefined
    : new Map(
        bootstrap.services.flatMap(([suffixes, addresses]) => {
          const usable = addresses.filter(
            (address) => address.length <= longestAddress && /^https?:\/\//i.test(address) && URL.canParse(address)
          )
          const address = usable.find((one) => /^https:/i.test(one.slice(0, 6))) ?? usable[0]
          if (address === undefined) return []
          const url = new URL(address.endsWith("/") ? address : `${address}/`)
          return suffixes.map((suffix) => [suffix.toLowerCase(), url] as const)
        })
      )
}

/** The longest suffix decides (RFC 9224, section 4). */
const serverOf = (servers: Servers, domain: string): URL | undefined => {
  const labels = upTo(domain, 255).split(".")
  for (let first = 0; first < labels.length; first++) {
    const server = servers.get(labels.slice(first).join("."))
    if (server !== undefined) return server
  }
  return undefined
}

/** Sends a request and follows a few redirects. Each is a new connection under the network policy, and must use TLS. */
const get = (start: URL, limit: number): Effect.Effect<HttpRequest.HttpResponse, Failed, Dialer> =>
  Effect.gen(function* () {
    let url = start
    for (let left = redirects; ; left--) {
      const answer = yield* HttpRequest.send({
        url,
        method: "GET",
        headers: { accept: "application/rdap+json, application/json" },
        limit
      }).pipe(Effect.mapError(({ message }) => new Failed({ detail: message })))
      const { location } = answer.headers
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
      const next = URL.parse(location, url.href)
      if (left === 0) return yield* new Failed({ detail: `${start.host} redirects more than ${redirects} times` })
      if (next === null || !(next.protocol === "https:" || (next.protocol === "http:" && url.protocol === "http:")))
        return yield* new Failed({ detail: `${url.host} redirects to an address that is not followed` })
      url = next
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new Failed({ detail: `${start.host} did not answer within ${patience}` }))
    })
  )

const json = ({ body }: HttpRequest.HttpResponse): unknown => JsonText.parse(body)

const make = Effect.fnUntraced(function* ({ bootstrapUrl = iana }: RdapSettings) {
  const dialer = yield* Dialer
  const fetch = (url: URL, limit: number) => Effect.provideService(get(url, limit), Dialer, dialer)

  const reading = yield* Semaphore.make(1)
  let known: { readonly servers: Servers; readonly until: EpochMillis } | undefined
  // An old file still names most registries, so it is used while a new one cannot be downloaded.
  const servers = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (known !== undefined && now < known.until) return known.servers
    const read = yield* Effect.result(fetch(new URL(bootstrapUrl), bootstrapLimit))
    const fresh =
      read._tag === "Success" && read.success.status === 200 ? parseBootstrap(json(read.success)) : undefined
    if (fresh === undefined && known === undefined)
      return yield* read._tag === "Failure"
        ? read.failure
        : new Failed({ detail: "The list of registries is not readable" })
    known = { servers: fresh ?? known!.servers, until: now + (fresh === undefined ? bootstrapRetry : bootstrapTtl) }
    return known.servers
  }).pipe(reading.withPermits(1))

  const turns = KeyedPermits.make()
  /** Until when servers must not be asked, by origin. */
  const closedUntil = new Map<string, EpochMillis>()

  const ask = Effect.fnUntraced(function* (domain: string, server: URL) {
    const before = yield* Clock.currentTimeMillis
    const opens = closedUntil.get(server.origin) ?? 0
    if (before < opens) return yield* new Throttled({ retryAfter: (opens - before) / 1000 })
    const answer = yield* fetch(
      new URL(`domain/${encodeURIComponent(domain)}`.slice(0, longestAddress), server),
      answerLimit
    )
    const now = yield* Clock.currentTimeMillis
    const wait = retryAfter(answer, now)
    if (answer.status === 429 || (answer.status === 503 && wait !== undefined)) {
      const seconds = wait ?? defaultRetryAfter
      closedUntil.set(server.origin, now + seconds * 1000)
      return yield* new Throttled({ retryAfter: seconds })
    }
    if (answer.status === 404) return yield* new NotRegistered({ domain })
    const registration = answer.status === 200 ? parseRegistration(json(answer)) : undefined
    if (registration !== undefined) return registration
    const what = answer.status === 200 ? "something else than RDAP" : `HTTP ${answer.status}`
    return yield* new Failed({ detail: `${server.host} answered ${what} for ${domain}` })
  })

  const lookup = Effect.fn("Rdap.lookup")(function* (domain: string) {
    const server = serverOf(yield* servers, domain)
    if (server === undefined) return yield* new Unsupported({ domain })
    return yield* ask(domain, server).pipe(turns.withPermit({ key: server.origin, limit: 1 }))
  })

  return Rdap.of({ lookup })
})
