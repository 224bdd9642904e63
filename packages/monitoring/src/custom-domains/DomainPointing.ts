/**
 * Checks whether a custom domain leads to this installation: by a chain of CNAME records to the pages' host or, where a CNAME
 * is not possible, by the host's addresses.
 */
import { type RecordType, type Records, Resolver, ResolveFailed } from "@kanmon/core/Resolver"
import { Effect } from "effect"

/** The result of a DNS lookup. */
export type Pointing =
  /** `by`: a CNAME record that names this installation, or the host's addresses, which could mean another service on it. */
  | { readonly _tag: "Here"; readonly by: "cname" | "addresses" }
  | { readonly _tag: "Missing" }
  /** `found`: the records that were found instead, in words. */
  | { readonly _tag: "Elsewhere"; readonly found: string }
  /** The domain's name servers did not answer. */
  | { readonly _tag: "Unanswered"; readonly detail: string }
  /** The lookup failed on our side, so nothing is known. */
  | { readonly _tag: "Unknown" }

/** Limits lookups, so that deliberately slow name servers do not block other domains. */
const patience = "15 seconds"

/** Resolvers stop at about the same length. */
const longestChain = 8

/** Evaluates the records. `chain` holds the targets of the domain's CNAME records, in order. */
const evaluate = (
  host: string,
  chain: ReadonlyArray<string>,
  addresses: ReadonlyArray<string>,
  hostAddresses: ReadonlyArray<string>
): Pointing => {
  if (chain.includes(host)) return { _tag: "Here", by: "cname" }
  const foreign = addresses.filter((address) => !hostAddresses.includes(address))
  if (addresses.length > 0 && foreign.length === 0) return { _tag: "Here", by: "addresses" }
  if (chain.length > 0) return { _tag: "Elsewhere", found: `a CNAME record that leads to ${chain.at(-1)}` }
  if (addresses.length === 0) return { _tag: "Missing" }
  // Visitors and the certificate authority may choose any of the addresses.
  const also = foreign.length < addresses.length ? "beside the right address also " : "the address "
  return { _tag: "Elsewhere", found: `${also}${foreign.slice(0, 4).join(", ")}` }
}

/** Fails a lookup that takes longer than {@link patience}. */
export const inTime = <A, R>(look: Effect.Effect<A, ResolveFailed, R>): Effect.Effect<A, ResolveFailed, R> =>
  Effect.timeoutOrElse(look, {
    duration: patience,
    orElse: () =>
      Effect.fail(
        new ResolveFailed({ reason: "dns_timeout", message: `its name servers did not answer within ${patience}` })
      )
  })

/** The meaning of a failed lookup. */
export const unanswered = ({
  message,
  reason
}: ResolveFailed): Extract<Pointing, { _tag: "Unanswered" | "Unknown" }> =>
  reason === "resolver_unavailable" || reason === "address_refused"
    ? { _tag: "Unknown" }
    : { _tag: "Unanswered", detail: message }

/** Looks the records up, without a cache of our own. */
export const look: (domain: string, host: string) => Effect.Effect<Pointing, never, Resolver> = Effect.fnUntraced(
  function* (domain: string, host: string) {
    const resolver = yield* Resolver
    /** An absent record is a result, too. */
    const records = (name: string, type: RecordType): Effect.Effect<Records, ResolveFailed> =>
      resolver.records(name, type).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "dns_nxdomain" || reason === "dns_no_records",
          () => Effect.succeed([])
        )
      )
    const addressesOf = (name: string) =>
      Effect.map(Effect.all([records(name, "A"), records(name, "AAAA")], { concurrency: 2 }), (both) => both.flat())

    const found = Effect.gen(function* () {
      const chain: Array<string> = []
      while (chain.length < longestChain && !chain.includes(host)) {
        const [target] = yield* records(chain.at(-1) ?? domain, "CNAME")
        if (target === undefined) break
        chain.push(target.toLowerCase())
      }
      return chain.includes(host) ? { chain, addresses: [] } : { chain, addresses: yield* addressesOf(domain) }
    })
    const own = yield* Effect.result(inTime(found))
    if (own._tag === "Failure") return unanswered(own.failure)
    const { addresses, chain } = own.success
    if (chain.includes(host)) return evaluate(host, chain, addresses, [])
    const hosts = yield* Effect.result(addressesOf(host))
    return hosts._tag === "Failure" ? { _tag: "Unknown" } : evaluate(host, chain, addresses, hosts.success)
  }
)

/**
 * The error for the page's owner: the record found, the record expected, and a remedy. Null without an error, or if
 * nothing is known.
 */
export const words = (pointing: Pointing, domain: string, host: string): string | null => {
  const todo =
    `Expected a CNAME record that points to ${host}; at the top of a domain, where a CNAME is not possible, ` +
    `A and AAAA records with the addresses of ${host} and no others. Change it at the domain's DNS provider; ` +
    "it is checked again automatically."
  switch (pointing._tag) {
    case "Here":
    case "Unknown":
      return null
    case "Missing":
      return `${domain} has no DNS record. ${todo}`
    case "Elsewhere":
      return `${domain} leads elsewhere: found ${pointing.found}. ${todo}`
    case "Unanswered":
      return `The DNS record of ${domain} cannot be read: ${pointing.detail}. ${todo}`
  }
}
