/**
 * Tells people at once when checks of a monitor would be refused by the network policy, instead of leaving them with a monitor
 * that is down. Names are looked up for it, a few at once: it never fails, and holds a request up for less than a second.
 */
import type { Check } from "@kanmon/core/Check"
import * as NameServer from "@kanmon/core/NameServer"
import { type PolicySettings, refusal, type Refusal } from "@kanmon/core/NetworkPolicy"
import { Catalogue } from "@kanmon/core/PluginHost"
import { prepare } from "@kanmon/core/Preparation"
import { Resolver } from "@kanmon/core/Resolver"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { Warning } from "@kanmon/protocol/MonitorBody"
import { Context, Effect, Layer, Option, Result, Semaphore } from "effect"

const deadline = "800 millis"
/** Lookups at once in this process; beyond them there is no warning. */
const mostLookups = 20

export class TargetWarnings extends Context.Service<
  TargetWarnings,
  {
    /** Why checks of this monitor would be refused; empty where they would not, or where that is not known in time. */
    readonly of: (monitor: Pick<Monitor, "type" | "config">) => Effect.Effect<ReadonlyArray<Warning>>
  }
>()("@kanmon/server/http/TargetWarnings") {
  /** Warnings under the policy of this process; probes may have another one. */
  static readonly layer = (policy: PolicySettings): Layer.Layer<TargetWarnings, never, Catalogue | Resolver> =>
    Layer.effect(TargetWarnings, make(policy))
}

const make = Effect.fnUntraced(function* (policy: PolicySettings) {
  const { checks } = yield* Catalogue
  const resolver = yield* Resolver
  const lookups = Semaphore.makeUnsafe(mostLookups)

  /** Of several addresses one that is refused refuses all. What a name resolves to is not told. */
  const refusalOf = (host: string): Effect.Effect<Refusal | null> => {
    const literal = NameServer.parse(host)
    if (literal !== undefined) return Effect.succeed(refusal(literal.address, literal.port, policy))
    if (policy.allowPrivate) return Effect.succeed(null)
    return lookups
      .withPermitsIfAvailable(1)(resolver.addresses(host))
      .pipe(
        Effect.map(
          Option.match({
            onNone: () => null,
            onSome: (found) =>
              found.map(({ address }) => refusal(address, 0, policy)).find((why) => why !== null) ?? null
          })
        ),
        Effect.catch(() => Effect.succeed(null))
      )
  }

  return TargetWarnings.of({
    of: (monitor) =>
      Effect.forEach(reached(checks, monitor), (host) =>
        Effect.map(refusalOf(host), (why) => (why === null ? [] : [warning(host, why)]))
      ).pipe(
        Effect.map((warnings) => warnings.flat()),
        Effect.timeoutOption(deadline),
        Effect.map(Option.getOrElse(() => []))
      )
  })
})

/** Names and addresses that a check reaches for. A stranger's plugin may throw where it should answer. */
const reached = (
  checks: ReadonlyMap<string, Check>,
  monitor: Pick<Monitor, "type" | "config">
): ReadonlyArray<string> => {
  const prepared = prepare(checks, monitor)
  if (checks.get(monitor.type)?.passive !== undefined || Result.isFailure(prepared)) return []
  try {
    return prepared.success.reaches?.() ?? [prepared.success.host]
  } catch {
    return []
  }
}

const warning = (host: string, { remedy, why }: Refusal): Warning => {
  const subject = NameServer.parse(host) === undefined ? `${host} has an address that` : host
  return { code: "address_refused", message: `${subject} ${why}, so its checks will be refused${remedy}` }
}
