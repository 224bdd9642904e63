/** Name resolution for checks: which records a name has, asked of this machine's resolver or of a given one. */
import { Context, Data, type Effect } from "effect"

export type RecordType = "A" | "AAAA" | "CNAME" | "MX" | "TXT"

/** Records in text: addresses, names without the trailing dot, `"<preference> <exchange>"`, whole joined strings. */
export type Records = ReadonlyArray<string>

export class ResolveFailed extends Data.TaggedError("ResolveFailed")<{
  readonly reason:
    | "dns_nxdomain"
    | "dns_no_records"
    | "dns_servfail"
    | "dns_refused"
    | "dns_timeout"
    | "dns_failed"
    /** The network policy forbids the given server, the name, or to tell its records. */
    | "address_refused"
    /** Our own resolver does not answer. Says nothing of the target. */
    | "resolver_unavailable"
  /** One sentence for a person. */
  readonly message: string
}> {}

export class Resolver extends Context.Service<
  Resolver,
  {
    /** Asks for records. `server` is `ip` or `ip:port` (`[v6]:port`); without it this installation's resolver is asked. */
    readonly records: (hostname: string, type: RecordType, server?: string) => Effect.Effect<Records, ResolveFailed>
    /** The addresses of a host, as a connection would use them (hosts file, search domains). In order of preference. */
    readonly addresses: (
      hostname: string
    ) => Effect.Effect<ReadonlyArray<{ readonly address: string; readonly family: 4 | 6 }>, ResolveFailed>
  }
>()("@kanmon/core/Resolver") {}
