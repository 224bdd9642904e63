/**
 * Name resolution with Node. Addresses come from the name server that the settings name; without one, from this machine's,
 * and from `getaddrinfo` for names that only this machine knows (its hosts file as it was at the start, its search domains).
 * `getaddrinfo` is not asked first because it holds one of a few threads until it has an answer: a handful of monitors on
 * names with dead servers would then stop every other lookup. Nothing is cached; the same lookup at the same time is shared.
 */
import * as dns from "node:dns"
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import type { Address } from "./internal/Connect.ts"
import { failed } from "./internal/LookupFailure.ts"
import * as NameServer from "./NameServer.ts"
import { refusal } from "./NetworkPolicy.ts"
import { type Records, type RecordType, ResolveFailed, Resolver } from "./Resolver.ts"

export interface ResolverSettings {
  readonly allowPrivate: boolean
  /** Name servers that are let through whatever their range, as `address:port`. */
  readonly allowTargets?: ReadonlySet<string>
  /** `ip` or `ip:port`; this machine's resolver when absent. */
  readonly server?: string | undefined
}

type Asker = dns.promises.Resolver

/** Each try of c-ares; the host's timeout ends the whole. */
const tryMillis = 2000
/** After this long without an answer our own resolver has to show that it is there. */
const suspicionMillis = 1000
/** How long an IPv4 answer waits for the IPv6 one. */
const secondFamilyMillis = 250

const make = (settings: ResolverSettings): Resolver["Service"] => {
  const server = settings.server
  const alive = livenessOf(server)
  const isLocal = localNames()

  /** Asks our own resolver: what it cannot say because it is gone is not held against the target. */
  const own = <A>(hostname: string, what: string, ask: (asker: Asker) => Promise<A>): Effect.Effect<A, ResolveFailed> =>
    Effect.callback<A, ResolveFailed>((resume) => {
      const asker = askerOf(server)
      const unavailable = Effect.fail(
        new ResolveFailed({ reason: "resolver_unavailable", message: "This probe's own resolver does not answer" })
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
    if (address === undefined) return refused("dns_failed", `${text} is not a name server's address`)
    const forbidden = refusal(address.address, address.port, settings)
    if (forbidden !== null) {
      const { remedy, why } = forbidden
      return refused("address_refused", `The name server ${text} ${why}, and may not be asked${remedy}`)
    }
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
    if (server !== undefined) return queryAddresses(asker, hostname)
    if (isLocal(hostname)) return lookup(hostname)
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

/** Either the name's servers or our own resolver said nothing. */
const silent = new Set(["ETIMEOUT", "EAI_AGAIN"])
/** DNS does not know the name, or this machine has no DNS. */
const unknownToDns = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "EBADNAME"])

const refused = (reason: ResolveFailed["reason"], message: string): Effect.Effect<never, ResolveFailed> =>
  Effect.fail(new ResolveFailed({ reason, message }))

const askerOf = (server: string | undefined, options = { timeout: tryMillis, tries: 2 }): Asker => {
  const asker = new dns.promises.Resolver(options)
  if (server !== undefined) asker.setServers([server])
  return asker
}

const withoutDot = (name: string): string => name.replace(/\.$/, "")

const query = async (asker: Asker, hostname: string, type: RecordType): Promise<Records> => {
  switch (type) {
    case "A":
      return asker.resolve4(hostname)
    case "AAAA":
      return asker.resolve6(hostname)
    case "CNAME":
      return (await asker.resolveCname(hostname)).map(withoutDot)
    case "MX":
      return (await asker.resolveMx(hostname)).map(({ exchange, priority }) => `${priority} ${withoutDot(exchange)}`)
    case "TXT":
      return (await asker.resolveTxt(hostname)).map((chunks) => textOf(chunks.join("")))
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Node gives one character for each byte of a TXT record. Bytes that are not UTF-8 are left as Latin-1. */
const textOf = (bytes: string): string => {
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"))
  } catch {
    return bytes
  }
}

/** IPv4 first: it is the family that every probe has. */
const queryAddresses = async (asker: Asker, hostname: string): Promise<ReadonlyArray<Address>> => {
  const asked6 = settled(asker.resolve6(hostname))
  const v4 = await settled(asker.resolve4(hostname))
  const v6 = v4.status === "fulfilled" ? await orNothing(asked6) : await asked6
  const found = [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(v6?.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 as const })) : [])
  ]
  if (found.length > 0) return found
  // "No such record" of one family says less than whatever went wrong with the other.
  const causes = [v4, v6].map((answer) => (answer?.status === "rejected" ? answer.reason : undefined))
  throw causes.find((cause) => cause !== undefined && codeOf(cause) !== "ENODATA") ?? causes[0]
}

const settled = async <A>(promise: Promise<A>): Promise<PromiseSettledResult<A>> =>
  (await Promise.allSettled([promise]))[0]

/** Servers that never answer for AAAA are common: with an IPv4 address in hand nobody waits for them. */
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

/** Names that the name server is not asked for: those without a dot, and those of the hosts file. */
const localNames = (): ((hostname: string) => boolean) => {
  const known = new Set<string>()
  try {
    const file = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts"
    for (const line of readFileSync(file, "utf8").split("\n")) {
      for (const name of line.replace(/#.*/, "").trim().split(/\s+/).slice(1)) known.add(name.toLowerCase())
    }
  } catch {
    // A machine without a hosts file knows no such names.
  }
  return (hostname) => {
    const name = withoutDot(hostname).toLowerCase()
    return !name.includes(".") || /\.(?:localhost|local)$/.test(name) || known.has(name)
  }
}

/** Whether our own resolver answers at all: it is asked for the root, which every resolver has something to say about. */
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

/** Callers of the same lookup at the same time share one: many monitors watch the same host. */
const shared = (resolve: Resolver["Service"]["addresses"]): Resolver["Service"]["addresses"] => {
  type Answer = Parameters<Parameters<typeof Effect.callback<ReadonlyArray<Address>, ResolveFailed>>[0]>[0]
  const inFlight = new Map<string, { readonly waiting: Set<Answer>; readonly cancel: () => void }>()
  return (hostname) =>
    Effect.callback<ReadonlyArray<Address>, ResolveFailed>((resume) => {
      let lookup = inFlight.get(hostname)
      if (lookup === undefined) {
        const waiting = new Set([resume])
        let cancel: () => void = () => undefined
        // Known before it begins, because it may be over at once.
        lookup = { waiting, cancel: () => cancel() }
        inFlight.set(hostname, lookup)
        cancel = Effect.runCallback(resolve(hostname), {
          onExit: (exit) => {
            if (inFlight.get(hostname)?.waiting === waiting) inFlight.delete(hostname)
            for (const answer of waiting) {
              try {
                answer(exit)
              } catch {
                // Whoever goes on with it is a plugin's: what it throws keeps no answer from the others.
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
