/**
 * Name resolution with Node. Addresses come from the configured name server; without one, from this machine's. `getaddrinfo` is
 * asked for names that only this machine knows: its hosts file as read at startup, and without a configured server its search
 * domains.
 * `getaddrinfo` is not used first because it occupies one of a few threads until it answers: a few monitors with dead name
 * servers would block every other lookup. Nothing is cached; concurrent identical lookups are shared.
 */
import * as dns from "node:dns"
import { readFileSync } from "node:fs"
import { type Reason, reason as why } from "@kanmon/domain/Reason"
import { Effect, Layer } from "effect"
import type { Address } from "./internal/Connect.ts"
import { failed } from "./internal/LookupFailure.ts"
import * as NameServer from "./NameServer.ts"
import { refusal } from "./NetworkPolicy.ts"
import { type Records, type RecordType, ResolveFailed, Resolver } from "./Resolver.ts"

export interface ResolverSettings {
  readonly allowPrivate: boolean
  /** Name servers that are always allowed, as `address:port`. */
  readonly allowTargets?: ReadonlySet<string>
  /** `ip` or `ip:port`; this machine's resolver when absent. */
  readonly server?: string | undefined
}

type Asker = dns.promises.Resolver

/** Timeout of each c-ares try; the host's timeout limits the total. */
const tryMillis = 2000
/** After this time without an answer the probe's own resolver must prove that it responds. */
const suspicionMillis = 1000
/** How long an IPv4 answer waits for the IPv6 answer. */
const secondFamilyMillis = 250

const make = (settings: ResolverSettings): Resolver["Service"] => {
  const server = settings.server
  const alive = livenessOf(server)
  const isLocal = localNames(server !== undefined)

  /** Queries the probe's own resolver: if it does not respond, the failure is not the target's. */
  const own = <A>(hostname: string, what: string, ask: (asker: Asker) => Promise<A>): Effect.Effect<A, ResolveFailed> =>
    Effect.callback<A, ResolveFailed>((resume) => {
      const asker = askerOf(server)
      const unavailable = Effect.fail(
        new ResolveFailed({ reason: "resolver_unavailable", ...why("resolver_silent", {}) })
      )
      const suspicion = setTimeout(() => {
        void alive().then((answers) => (answers ? undefined : resume(unavailable)))
      }, suspicionMillis)
      ask(asker)
        .then(
          (value) => resume(Effect.succeed(value)),
          async (cause: unknown) => {
            const unclear = silent.has(codeOf(cause)) && !(await alive())
            resume(
              unclear || codeOf(cause) === "ECONNREFUSED" ? unavailable : Effect.fail(failed(hostname, what, cause))
            )
          }
        )
        .finally(() => clearTimeout(suspicion))
      return Effect.sync(() => {
        clearTimeout(suspicion)
        asker.cancel()
      })
    })

  const given = (hostname: string, type: RecordType, text: string): Effect.Effect<Records, ResolveFailed> => {
    const address = NameServer.parse(text)
    if (address === undefined) return refused("dns_failed", why("name_server_invalid", { server: text }))
    const forbidden = refusal(address.address, address.port, settings)
    if (forbidden !== null)
      return refused("address_refused", why("name_server_forbidden", { server: text, ...forbidden.parameters }))
    return Effect.callback<Records, ResolveFailed>((resume) => {
      const asker = askerOf(text)
      query(asker, hostname, type).then(
        (found) => resume(Effect.succeed(found)),
        (cause: unknown) => resume(Effect.fail(failed(hostname, type, cause)))
      )
      return Effect.sync(() => asker.cancel())
    })
  }

  const find = async (hostname: string, asker: Asker): Promise<ReadonlyArray<Address>> => {
    if (isLocal(hostname)) return lookup(hostname)
    if (server !== undefined) return queryAddresses(asker, hostname)
    try {
      return await queryAddresses(asker, hostname)
    } catch (cause) {
      if (!unknownToDns.has(codeOf(cause))) throw cause
      return await lookup(hostname).catch((error: unknown) => {
        throw codeOf(error) === "ENOTFOUND" ? cause : error
      })
    }
  }

  return Resolver.of({
    records: (hostname, type, text) =>
      text === undefined ? own(hostname, type, (asker) => query(asker, hostname, type)) : given(hostname, type, text),
    addresses: shared((hostname) => own(hostname, "address", (asker) => find(hostname, asker)))
  })
}

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? ""

/** Either the name's servers or the probe's own resolver did not respond. */
const silent = new Set(["ETIMEOUT", "EAI_AGAIN"])
/** DNS does not know the name, or this machine has no DNS. */
const unknownToDns = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "EBADNAME"])

const refused = (reason: ResolveFailed["reason"], words: Reason): Effect.Effect<never, ResolveFailed> =>
  Effect.fail(new ResolveFailed({ reason, ...words }))

const askerOf = (server: string | undefined, options = { timeout: tryMillis, tries: 2 }): Asker => {
  const asker = new dns.promises.Resolver(options)
  if (server !== undefined) asker.setServers([server])
  return asker
}

const withoutDot = (name: string): string => name.replace(/\.$/, "")

/** The root as a target means that there is none (RFC 2782, RFC 7505). */
const target = (name: string): string => withoutDot(name) || "."

const query = async (asker: Asker, hostname: string, type: RecordType): Promise<Records> => {
  switch (type) {
    case "A":
      return asker.resolve4(hostname)
    case "AAAA":
      return asker.resolve6(hostname)
    case "CNAME":
      return (await asker.resolveCname(hostname)).map(withoutDot)
    case "MX":
      return (await asker.resolveMx(hostname)).map(({ exchange, priority }) => `${priority} ${target(exchange)}`)
    case "TXT":
      return (await asker.resolveTxt(hostname)).map((chunks) => textOf(chunks.join("")))
    case "NS":
      return (await asker.resolveNs(hostname)).map(withoutDot)
    case "PTR":
      return (await asker.resolvePtr(hostname)).map(withoutDot)
    case "SRV":
      return (await asker.resolveSrv(hostname)).map(
        ({ name, port, priority, weight }) => `${priority} ${weight} ${port} ${target(name)}`
      )
    case "CAA":
      return (await asker.resolveCaa(hostname)).flatMap(({ critical, ...rest }) =>
        Object.entries(rest)
          .filter(([tag]) => tag !== "type")
          .map(([tag, value]) => `${critical} ${tag} "${textOf(String(value))}"`)
      )
    case "SOA": {
      const { expire, hostmaster, minttl, nsname, refresh, retry, serial } = await asker.resolveSoa(hostname)
      return [[withoutDot(nsname), withoutDot(hostmaster), serial, refresh, retry, expire, minttl].join(" ")]
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Node returns one character per byte of a TXT record. Bytes that are not UTF-8 stay Latin-1. */
const textOf = (bytes: string): string => {
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

/** IPv4 first, because every probe has it. */
const queryAddresses = async (asker: Asker, hostname: string): Promise<ReadonlyArray<Address>> => {
  const asked6 = settled(asker.resolve6(hostname))
  const v4 = await settled(asker.resolve4(hostname))
  const v6 = v4.status === "fulfilled" ? await orNothing(asked6) : await asked6
  const found = [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(v6?.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 as const })) : [])
  ]
  if (found.length > 0) return found
  // "No such record" of one family is less informative than another error of the other family.
  const causes = [v4, v6].map((answer) => (answer?.status === "rejected" ? answer.reason : undefined))
  throw causes.find((cause) => cause !== undefined && codeOf(cause) !== "ENODATA") ?? causes[0]
}

const settled = async <A>(promise: Promise<A>): Promise<PromiseSettledResult<A>> =>
  (await Promise.allSettled([promise]))[0]

/** Servers that never answer AAAA queries are common: with an IPv4 address there is no need to wait. */
const orNothing = <A>(promise: Promise<A>): Promise<A | undefined> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, secondFamilyMillis, undefined)
    void promise.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })

const lookup = (hostname: string): Promise<ReadonlyArray<Address>> =>
  new Promise((resolve, reject) =>
    dns.lookup(hostname, { all: true, order: "verbatim" }, (error, found) =>
      error === null ? resolve(found as ReadonlyArray<Address>) : reject(error)
    )
  )

/**
 * Names that the name server is not asked for: `localhost` (RFC 6761) and those in the hosts file, and unless the operator has
 * chosen a name server, those without a dot and those of multicast DNS.
 */
const localNames = (hasServer: boolean): ((hostname: string) => boolean) => {
  const known = new Set<string>()
  try {
    const file = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts"
    for (const line of readFileSync(file, "utf8").split("\n")) {
      for (const name of line.replace(/#.*/, "").trim().split(/\s+/).slice(1)) known.add(name.toLowerCase())
    }
  } catch {
    // No hosts file: there are no such names.
  }
  return (hostname) => {
    const name = withoutDot(hostname).toLowerCase()
    if (known.has(name) || /(?:^|\.)localhost$/.test(name)) return true
    return !hasServer && (!name.includes(".") || name.endsWith(".local"))
  }
}

/** Whether the probe's own resolver responds: it is asked for the root, which every resolver can answer. */
const livenessOf = (server: string | undefined): (() => Promise<boolean>) => {
  let asking: Promise<boolean> | undefined
  return () => {
    asking ??= askerOf(server, { timeout: 1500, tries: 1 })
      .resolveNs(".")
      .then(
        () => true,
        (cause: unknown) => !["ETIMEOUT", "ECONNREFUSED"].includes(codeOf(cause))
      )
      .finally(() => (asking = undefined))
    return asking
  }
}

/** Shares concurrent identical lookups: many monitors check the same host. */
const shared = (resolve: Resolver["Service"]["addresses"]): Resolver["Service"]["addresses"] => {
  type Resume = Parameters<Parameters<typeof Effect.callback<ReadonlyArray<Address>, ResolveFailed>>[0]>[0]
  const inFlight = new Map<string, { readonly waiting: Set<Resume>; readonly cancel: () => void }>()
  return (hostname) =>
    Effect.callback<ReadonlyArray<Address>, ResolveFailed>((resume) => {
      let lookup = inFlight.get(hostname)
      if (lookup === undefined) {
        const waiting = new Set([resume])
        let cancel: () => void = () => undefined
        // Assigned before it starts, because it may complete synchronously.
        lookup = { waiting, cancel: () => cancel() }
        inFlight.set(hostname, lookup)
        cancel = Effect.runCallback(resolve(hostname), {
          onExit: (exit) => {
            if (inFlight.get(hostname)?.waiting === waiting) inFlight.delete(hostname)
            for (const answer of waiting) {
              try {
                answer(exit)
              } catch {
                // The continuation may belong to a plugin: its exception must not affect the other callers.
              }
            }
          }
        })
      }
      const { waiting } = lookup
      const { cancel } = lookup
      waiting.add(resume)
      return Effect.sync(() => {
        waiting.delete(resume)
        if (waiting.size > 0 || inFlight.get(hostname)?.waiting !== waiting) return
        inFlight.delete(hostname)
        cancel()
      })
    })
}

export const layer = (settings: ResolverSettings): Layer.Layer<Resolver> => Layer.sync(Resolver, () => make(settings))
