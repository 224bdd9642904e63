/** A simulated world for a connectivity guard: accounts with targets that fail and recover, and a network that goes down. */
import type { CheckResult } from "@kanmon/core/CheckResult"
import { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import type { MonitorSpec } from "@kanmon/domain/Monitor"
import type { Observation } from "@kanmon/domain/Observation"
import type { RegionStatus } from "@kanmon/domain/Status"
import { Clock, Effect, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Change } from "../src/Connectivity.ts"
import * as ConnectivityGuard from "../src/ConnectivityGuard.ts"

export interface Target {
  readonly name: string
  readonly account: string
  readonly host?: string
  /** State by seconds since the start. Default: alive. */
  readonly stands?: (second: number) => "alive" | "dead" | "answers badly" | "not evaluated"
  /** Seconds between checks. Default: 10. */
  readonly interval?: number
}

export interface Options {
  /** Whether the probe has a network connection, by seconds since the start. */
  readonly connected?: (second: number) => boolean
  /** Milliseconds that a check waits for a target that does not answer. */
  readonly timeout?: number
  /** A check that failed to connect at its start does not connect later. */
  readonly once?: boolean
  /** Whether any reference target answers; without it witnesses are asked. */
  readonly reference?: (second: number) => boolean
  readonly capacity?: number
}

interface Reported {
  readonly observation: Observation
  readonly name: string
  /** Milliseconds between its end and its report. */
  readonly delay: number
}

const result = (status: RegionStatus, timing: CheckResult["timing"] = {}): CheckResult => ({
  status,
  responseTime: status === "up" ? 20 : null,
  timing,
  failure: status === "up" ? null : { code: "connect_refused", message: "It refused the connection" },
  facts: {}
})

export const make = (targets: ReadonlyArray<Target>, options: Options = {}) =>
  Effect.gen(function* () {
    const { connected = () => true, once = false, timeout = 0 } = options
    const clock = yield* Clock.Clock
    const second = () => Math.floor(clock.currentTimeMillisUnsafe() / 1000)
    const reported: Array<Reported> = []
    const postponed: Array<Observation> = []
    const changes: Array<readonly [second: number, change: Change]> = []
    const ended = new Map<string, number>()
    let asked = 0
    let lost = 0
    const hostOf = ({ host, name }: Target) => host ?? `${name}.example`
    const byHost = new Map(targets.map((target) => [hostOf(target), target]))

    /** The result of a check at this moment. */
    const look = (target: Target): CheckResult => {
      const stands = target.stands?.(second()) ?? "alive"
      if (!connected(second()) || stands === "dead") return result("down")
      if (stands === "not evaluated")
        return { ...result("unknown"), failure: { code: "evaluation_unavailable", message: "no capacity" } }
      return stands === "alive" ? result("up") : result("down", { firstByte: 3 })
    }
    const found = (target: Target) =>
      Effect.suspend(() => {
        const first = look(target)
        return first.status === "up" || timeout === 0
          ? Effect.succeed(first)
          : // A target may recover while the check waits for it.
            Effect.map(Effect.sleep(timeout), () => (once ? first : look(target)))
      })

    const guard = yield* ConnectivityGuard.make({
      report: (observation) => {
        const key = `${observation.monitorId}:${observation.slot}`
        const delay = clock.currentTimeMillisUnsafe() - ended.get(key)!
        reported.push({ observation, name: observation.monitorId.slice(4), delay })
      },
      postponed: (observation) => void postponed.push(observation),
      lost: () => void lost++,
      ask: ({ host }) =>
        Effect.suspend(() => {
          asked++
          return found(byHost.get(host)!).pipe(
            Effect.timeoutOrElse({ duration: 2000, orElse: () => Effect.succeed(result("down")) })
          )
        }),
      referenceTargets: options.reference === undefined ? undefined : Effect.sync(() => options.reference!(second())),
      changed: (change) => Effect.sync(() => void changes.push([second(), change])),
      capacity: options.capacity ?? 50_000
    })

    const specs = new Map<string, MonitorSpec>()
    const specOf = (target: Target, more: Partial<MonitorSpec> = {}): MonitorSpec => {
      const known = specs.get(target.name)
      if (known !== undefined && Object.keys(more).length === 0) return known
      const spec: MonitorSpec = {
        id: MonitorId.make(`mon_${target.name}`),
        projectId: ProjectId.make(`prj_${target.account}${specs.size % 3}`),
        account: target.account,
        type: "http",
        interval: target.interval ?? 10,
        timeout: 5,
        config: { host: hostOf(target) },
        revision: 1,
        changedAt: 0,
        ...known,
        ...more
      }
      specs.set(target.name, spec)
      return spec
    }

    const slots = new Map<string, number>()
    /** One check from start to report, as an actor makes it. */
    const check = (target: Target, more: Partial<CheckResult> = {}) =>
      Effect.gen(function* () {
        const spec = specOf(target)
        const slot = (slots.get(target.name) ?? 0) + 1
        slots.set(target.name, slot)
        const checkedAt = clock.currentTimeMillisUnsafe()
        const outcome = { ...(yield* found(target)), ...more }
        ended.set(`${spec.id}:${slot}`, clock.currentTimeMillisUnsafe())
        const { id: monitorId, projectId } = spec
        guard.see(
          { monitorId, projectId, region: "eu-west", slot, scheduledAt: checkedAt, checkedAt, ...outcome },
          spec,
          {
            check: { host: hostOf(target), target: target.name, run: () => Effect.die("the world is asked") },
            lagMillis: 0
          }
        )
      })

    /** Lets seconds pass; every target is checked at its interval, spread over it. */
    const pass = (seconds: number) =>
      Effect.gen(function* () {
        for (let step = 0; step < seconds; step++) {
          const at = second()
          for (const [index, target] of targets.entries()) {
            const interval = target.interval ?? 10
            if (at % interval === (index * 7) % interval) yield* Effect.forkChild(check(target))
          }
          yield* TestClock.adjust(1000)
        }
      })

    const of = (name: string) => reported.filter((one) => one.name === name)
    const statuses = (name: string) => of(name).map(({ observation }) => observation.status)

    return {
      guard,
      reported,
      postponed,
      changes,
      asked: () => asked,
      lost: () => lost,
      check,
      specOf,
      pass,
      of,
      statuses,
      changesOnly: () => changes.map(([, change]) => change)
    }
  })

/** Runs a separate world with its own clock. */
export const run = <A>(body: Effect.Effect<A, never, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(body).pipe(Effect.provide(TestClock.layer())))

/** Accounts with one healthy target each. */
export const neighbours = (count: number, more: Partial<Target> = {}): ReadonlyArray<Target> =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, account: `account${index}`, ...more }))
