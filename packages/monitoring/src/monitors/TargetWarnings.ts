/**
 * Warns when the network policy would refuse the checks of a monitor, and when a name of its target does not exist now. Names are resolved with bounded concurrency:
 * it never fails, and delays a request by less than a second.
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
/** Concurrent lookups in this process; above it there is no warning. */
const maxLookups = 20

export class TargetWarnings extends Context.Service<
  TargetWarnings,
  {
    /**
     * Why checks of this monitor would be refused or fail; empty when they would not, or when the lookup takes too long.
     * With `queues`, it waits for other lookups to end, within the same deadline.
     */
    readonly of: (monitor: Pick<Monitor, "type" | "config">, queues?: boolean) => Effect.Effect<ReadonlyArray<Warning>>
  }
>()("@kanmon/monitoring/monitors/TargetWarnings") {
  /** Applies the policy of this process; probes may have another one. */
  static readonly layer = (policy: PolicySettings): Layer.Layer<TargetWarnings, never, Catalogue | Resolver> =>
    Layer.effect(TargetWarnings, make(policy))
}

const make = Effect.fnUntraced(function* (policy: PolicySettings) {
  const { checks } = yield* Catalogue
  const resolver = yield* Resolver
  const lookups = Semaphore.makeUnsafe(maxLookups)

  /** One refused address refuses the name. The addresses themselves are not revealed. */
  const warningsOf = (host: string, queues: boolean): Effect.Effect<ReadonlyArray<Warning>> => {
    const literal = NameServer.parse(host)
    if (literal !== undefined) return Effect.succeed(refused(host, refusal(literal.address, literal.port, policy)))
    const lookUp = resolver.addresses(host)
    return (queues ? Effect.asSome(lookups.withPermits(1)(lookUp)) : lookups.withPermitsIfAvailable(1)(lookUp)).pipe(
      Effect.map(
        Option.match({
          onNone: () => [],
          onSome: (found) =>
            refused(host, found.map(({ address }) => refusal(address, 0, policy)).find((why) => why !== null) ?? null)
        })
      ),
      // Only a name that does not exist is worth a warning; a resolver that does not answer says nothing about it.
      Effect.catch(({ reason }) => Effect.succeed(reason === "dns_nxdomain" ? [unresolved(host)] : []))
    )
  }

  return TargetWarnings.of({
    of: (monitor, queues = false) =>
      Effect.forEach(reached(checks, monitor), (host) => warningsOf(host, queues), { concurrency: 4 }).pipe(
        Effect.map((warnings) => warnings.flat()),
        Effect.timeoutOption(deadline),
        Effect.map(Option.getOrElse(() => []))
      )
  })
})

/** Names and addresses that a check connects to. A third-party plugin may throw. */
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

const refused = (host: string, why: Refusal | null): ReadonlyArray<Warning> => {
  if (why === null) return []
  const subject = NameServer.parse(host) === undefined ? `${host} has an address that` : host
  return [{ code: "address_refused", message: `${subject} ${why.why}, so its checks will be refused${why.remedy}` }]
}

const unresolved = (host: string): Warning => ({
  code: "host_unresolved",
  message: `The name ${host} does not exist in DNS, so its checks fail until it does`
})
