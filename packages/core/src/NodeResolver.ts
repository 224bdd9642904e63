/** Name resolution with Node: this machine's resolver, or the one the settings name. Nothing is cached. */
import * as dns from "node:dns"
import { Effect, Layer } from "effect"
import { refusal } from "./NetworkPolicy.ts"
import { type RecordType, type Records, ResolveFailed, Resolver } from "./Resolver.ts"

export interface ResolverSettings {
  readonly allowPrivate: boolean
  /** `ip` or `ip:port`; this machine's resolver when absent. */
  readonly server?: string | undefined
}

type Address = { readonly address: string; readonly family: 4 | 6 }

/** Each try of c-ares; the host's timeout ends the whole. */
const tryMillis = 3000

const failed = (hostname: string, what: string, cause: unknown, ownServer: boolean): ResolveFailed => {
  const code = (cause as NodeJS.ErrnoException).code ?? ""
  switch (code) {
    case "ENOTFOUND":
      return new ResolveFailed({ reason: "dns_nxdomain", message: `The name ${hostname} does not exist` })
    case "ENODATA":
    case "EAI_NODATA":
      return new ResolveFailed({ reason: "dns_no_records", message: `${hostname} has no ${what} record` })
    case "ESERVFAIL":
      return new ResolveFailed({ reason: "dns_servfail", message: `The name servers of ${hostname} failed (SERVFAIL)` })
    case "EREFUSED":
      return new ResolveFailed({ reason: "dns_refused", message: `The name server refused to answer for ${hostname}` })
    case "ETIMEOUT":
      return new ResolveFailed({ reason: "dns_timeout", message: `No name server answered for ${hostname} in time` })
    case "EAI_AGAIN":
      return new ResolveFailed({
        reason: "dns_servfail",
        message: `The name ${hostname} could not be resolved for now`
      })
    case "ECONNREFUSED":
      return ownServer
        ? new ResolveFailed({ reason: "resolver_unavailable", message: "This probe's own resolver does not answer" })
        : new ResolveFailed({ reason: "dns_refused", message: `The given name server does not accept queries` })
    case "EBADNAME":
    case "EBADQUERY":
      return new ResolveFailed({ reason: "dns_nxdomain", message: `${hostname} is not a name that can be looked up` })
    default:
      return new ResolveFailed({
        reason: "dns_failed",
        message: `Looking up ${hostname} failed (${code || String(cause)})`
      })
  }
}

const withoutDot = (name: string): string => name.replace(/\.$/, "")

const query = async (resolver: dns.promises.Resolver, hostname: string, type: RecordType): Promise<Records> => {
  switch (type) {
    case "A":
      return resolver.resolve4(hostname)
    case "AAAA":
      return resolver.resolve6(hostname)
    case "CNAME":
      return (await resolver.resolveCname(hostname)).map(withoutDot)
    case "MX":
      return (await resolver.resolveMx(hostname)).map(({ exchange, priority }) => `${priority} ${withoutDot(exchange)}`)
    case "TXT":
      return (await resolver.resolveTxt(hostname)).map((chunks) => chunks.join(""))
  }
}

/** The address part of `ip`, `ip:port` or `[v6]:port`. */
const addressOf = (server: string): string =>
  server.startsWith("[")
    ? server.slice(1, server.indexOf("]"))
    : server.split(":").length === 2
      ? server.split(":")[0]!
      : server

const make = (settings: ResolverSettings): Resolver["Service"] => {
  const ask = <A>(
    server: string | undefined,
    hostname: string,
    what: string,
    run: (resolver: dns.promises.Resolver) => Promise<A>
  ) =>
    Effect.callback<A, ResolveFailed>((resume) => {
      const resolver = new dns.promises.Resolver({ timeout: tryMillis, tries: 2 })
      const use = server ?? settings.server
      try {
        if (use !== undefined) resolver.setServers([use])
      } catch {
        return resume(
          Effect.fail(new ResolveFailed({ reason: "dns_failed", message: `${use} is not a name server's address` }))
        )
      }
      run(resolver).then(
        (value) => resume(Effect.succeed(value)),
        (cause: unknown) => resume(Effect.fail(failed(hostname, what, cause, server === undefined)))
      )
      return Effect.sync(() => resolver.cancel())
    })

  const records: Resolver["Service"]["records"] = (hostname, type, server) => {
    const refused = server === undefined ? null : refusal(addressOf(server), settings)
    return refused === null
      ? ask(server, hostname, type, (resolver) => query(resolver, hostname, type))
      : Effect.fail(
          new ResolveFailed({
            reason: "address_refused",
            message: `The name server ${server} may not be asked: it ${refused}`
          })
        )
  }

  const configured = (hostname: string): Effect.Effect<ReadonlyArray<Address>, ResolveFailed> =>
    ask(undefined, hostname, "address", async (resolver) => {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      const found = [
        ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
        ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 as const })) : [])
      ]
      if (found.length === 0 && v4.status === "rejected") throw v4.reason
      return found
    })

  // Lookups of one name at the same time share one query: many monitors watch the same host.
  const inFlight = new Map<string, Array<(result: Effect.Effect<ReadonlyArray<Address>, ResolveFailed>) => void>>()
  const system = (hostname: string): Effect.Effect<ReadonlyArray<Address>, ResolveFailed> =>
    Effect.callback<ReadonlyArray<Address>, ResolveFailed>((resume) => {
      const waiting = inFlight.get(hostname)
      if (waiting !== undefined) return void waiting.push(resume)
      inFlight.set(hostname, [resume])
      dns.lookup(hostname, { all: true, order: "verbatim" }, (error, found) => {
        const result =
          error === null
            ? Effect.succeed(found as ReadonlyArray<Address>)
            : Effect.fail(failed(hostname, "address", error, true))
        const resumes = inFlight.get(hostname) ?? []
        inFlight.delete(hostname)
        for (const resumeOne of resumes) resumeOne(result)
      })
    })

  return Resolver.of({ records, addresses: settings.server === undefined ? system : configured })
}

export const layer = (settings: ResolverSettings): Layer.Layer<Resolver> => Layer.sync(Resolver, () => make(settings))
