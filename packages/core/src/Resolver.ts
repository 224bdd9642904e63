/** Name resolution for checks, with this machine's resolver or a given one. */
import type { Explanation } from "@kanmon/domain/Explanation"
import { Context, Data, type Effect } from "effect"

export type RecordType = "A" | "AAAA" | "CNAME" | "MX" | "TXT" | "NS" | "SRV" | "CAA" | "SOA" | "PTR"

/**
 * Records as text, as zone files have them: addresses, names without a trailing dot, `<preference> <exchange>` (`0 .` for a name
 * that takes no mail, RFC 7505), joined strings, `<priority> <weight> <port> <target>`, `<flags> <tag> "<value>"`, and
 * `<server> <mailbox> <serial> <refresh> <retry> <expire> <minimum>`.
 */
export type Records = ReadonlyArray<string>

export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly reason:
    | "dns_nxdomain"
    | "dns_no_records"
    | "dns_servfail"
    | "dns_refused"
    | "dns_timeout"
    | "dns_failed"
    /** The network policy forbids the server, the name, or its records. */
    | "address_refused"
    /** The probe's own resolver does not respond. It says nothing about the target. */
    | "resolver_unavailable"
  /** One sentence for users. */
  readonly message: string
  /** What the sentence is made of. */
  readonly explanation?: Explanation | undefined
}> {}

export class Resolver extends Context.Service<
  Resolver,
  {
    /** Looks up records. `server` is `ip` or `ip:port` (`[v6]:port`); without it this installation's resolver is used. */
    readonly records: (hostname: string, type: RecordType, server?: string) => Effect.Effect<Records, ResolveFailed>
    /** The addresses of a host as a connection would use them (hosts file, search domains), in order of preference. */
    readonly addresses: (
      hostname: string
    ) => Effect.Effect<ReadonlyArray<{ readonly address: string; readonly family: 4 | 6 }>, ResolveFailed>
  }
>()("@kanmon/core/Resolver") {}
