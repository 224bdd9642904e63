/**
 * Runs one attempt of a check under the monitor's timeout, within the bounds on concurrency, and turns what comes of it into
 * the result part of an observation. A defect of the check is passed on: it says nothing of the target.
 */
import type { Facts, Failure, Timing } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { Capabilities, CheckFailed, Passed, Prepared, Stage } from "./Check.ts"
import { Dialer } from "./Dialer.ts"
import { Resolver } from "./Resolver.ts"

/** What a check found. */
export interface CheckResult {
  readonly status: RegionStatus
  readonly responseTime: number | null
  readonly timing: Timing
  readonly failure: Failure | null
  readonly facts: Facts
}

export interface RunnerSettings {
  readonly region: string
  /** Checks at once of this probe. */
  readonly concurrency: number
  /** Checks at once against one host. */
  readonly hostConcurrency: number
}

/** Facts beyond this many characters of JSON are left out: an observation has to fit into a message. */
const factsLimit = 32_768

export class CheckRunner extends Context.Service<
  CheckRunner,
  {
    /**
     * Runs a check. `timeoutMillis` is the monitor's; `patienceMillis` is how long it may wait for its turn before it
     * becomes `unknown`, because then nobody looked.
     */
    readonly run: (check: Prepared, timeoutMillis: number, patienceMillis: number) => Effect.Effect<CheckResult>
  }
>()("@kanmon/core/CheckRunner") {
  static readonly layer = (settings: RunnerSettings): Layer.Layer<CheckRunner, never, Dialer | Resolver> =>
    Layer.effect(
      CheckRunner,
      Effect.gen(function* () {
        const capabilities = (yield* Effect.context<Capabilities>()) satisfies Context.Context<Dialer | Resolver>
        const turn = makeTurns(settings)

        const attempt = (check: Prepared, timeoutMillis: number): Effect.Effect<CheckResult> =>
          Effect.suspend(() => {
            let stage: Stage = "request"
            return check.run({ region: settings.region, stage: (reached) => (stage = reached) }).pipe(
              Effect.map(passed),
              Effect.catch((error) => Effect.succeed(failed(error))),
              Effect.timeoutOrElse({
                duration: timeoutMillis,
                orElse: () => Effect.succeed(timedOut(check, stage, timeoutMillis))
              }),
              Effect.provideContext(capabilities)
            )
          })

        return CheckRunner.of({
          run: (check, timeoutMillis, patienceMillis) => turn(check.host, patienceMillis, attempt(check, timeoutMillis))
        })
      })
    )
}

/** Bounds on concurrency, of the probe and of each host. Where there is room, which is nearly always, they cost nothing. */
const makeTurns = ({ concurrency, hostConcurrency }: RunnerSettings) => {
  const probe = Semaphore.makeUnsafe(concurrency)
  const hosts = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()

  const acquire = (name: string) => {
    const host = hosts.get(name) ?? { permits: Semaphore.makeUnsafe(hostConcurrency), users: 0 }
    host.users++
    hosts.set(name, host)
    return host
  }
  const release = (name: string, host: { users: number }): void => {
    if (--host.users === 0) hosts.delete(name)
  }

  return (name: string, patienceMillis: number, check: Effect.Effect<CheckResult>): Effect.Effect<CheckResult> =>
    Effect.suspend(() => {
      const host = acquire(name)
      let begun = false
      // The host's permit first: one slow host must not hold the probe's permits while its checks wait.
      const waitAndRun = host.permits.withPermits(1)(
        probe.withPermits(1)(
          Effect.suspend(() => {
            begun = true
            return check
          })
        )
      )
      const crowded = host.users > hostConcurrency || hosts.size > concurrency
      return (crowded ? withPatience(waitAndRun, patienceMillis, () => begun) : waitAndRun).pipe(
        Effect.ensuring(Effect.sync(() => release(name, host)))
      )
    })
}

const withPatience = (
  check: Effect.Effect<CheckResult>,
  patienceMillis: number,
  begun: () => boolean
): Effect.Effect<CheckResult> =>
  Effect.raceFirst(
    check,
    Effect.sleep(patienceMillis).pipe(Effect.flatMap(() => (begun() ? Effect.never : Effect.succeed(saturated))))
  )

const saturated: CheckResult = {
  status: "unknown",
  responseTime: null,
  timing: {},
  failure: { code: "probe_saturated", message: "This probe had no room for the check before the next one was due" },
  facts: {}
}

const passed = ({ degraded, facts, responseTime, timing }: Passed): CheckResult => ({
  status: degraded === undefined ? "up" : "degraded",
  responseTime,
  timing: timing ?? {},
  failure: degraded ?? null,
  facts: bounded(facts)
})

const failed = ({ code, facts, message, responseTime, status, timing }: CheckFailed): CheckResult => ({
  status,
  responseTime: responseTime ?? null,
  timing: timing ?? {},
  failure: { code, message },
  facts: bounded(facts)
})

const stageWords: Record<Stage, readonly [code: string, words: string]> = {
  dns: ["dns_timeout", "while looking up its name"],
  connect: ["connect_timeout", "while connecting"],
  tls: ["tls_timeout", "during the TLS handshake"],
  request: ["timeout", "waiting for an answer"],
  download: ["timeout", "while the answer was coming"]
}

const timedOut = (check: Prepared, stage: Stage, timeoutMillis: number): CheckResult => {
  const [code, words] = stageWords[stage]
  return {
    status: "down",
    responseTime: null,
    timing: {},
    failure: { code, message: `${check.target} took more than ${timeoutMillis / 1000} s, ${words}` },
    facts: {}
  }
}

const bounded = (facts: Facts | undefined): Facts => {
  if (facts === undefined) return {}
  let size = 0
  for (const key in facts)
    size += typeof facts[key] === "object" ? JSON.stringify(facts[key]).length : 32 + String(facts[key]).length
  return size > factsLimit ? { truncated: true } : facts
}
