/**
 * One run: an installation, monitors of targets that flip on a script, a customer at work, and faults one after the other. In
 * the end the ledgers hold what really was against what the product stored and sent. See README.md.
 */
import { appendFileSync } from "node:fs"
import { Effect, Fiber } from "effect"
import { eventually } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as AlertLedger from "./AlertLedger.ts"
import * as ChangeLedger from "./ChangeLedger.ts"
import * as Counters from "./Counters.ts"
import * as DatingLedger from "./DatingLedger.ts"
import * as Customer from "./Customer.ts"
import type { Evidence } from "./Evidence.ts"
import type { Fault } from "./Faults.ts"
import * as Fleet from "./Fleet.ts"
import { match } from "./Match.ts"
import * as Published from "./Published.ts"
import * as Script from "./Script.ts"
import * as SlotLedger from "./SlotLedger.ts"
import * as Stored from "./Stored.ts"
import * as Summary from "./Summary.ts"
import * as Takeover from "./Takeover.ts"
import * as Targets from "./Targets.ts"
import * as TruthLedger from "./TruthLedger.ts"

export interface RunOptions {
  readonly monitors: number
  /** Seconds between the checks of each. */
  readonly interval: number
  readonly engines: number
  readonly faults: ReadonlyArray<Fault>
  /** Where the probes are; by default two in one region and one in another. */
  readonly places?: Fleet.Places
  /** Settings of the product's processes beside those that every run has. */
  readonly settings?: Readonly<Record<string, string>>
}

const rules = [
  { name: "At once", consecutiveFailures: 1 },
  { name: "At the second", consecutiveFailures: 2 }
]

const scriptFor = (warmUpMillis: number, faults: ReadonlyArray<Fault>, intervalMillis: number): Script.Script => {
  const faultMillis = faults.reduce((sum, { millis }) => sum + millis, 0)
  // Longer than any time in which nobody sees a target: a window is noticed whatever happens.
  const shortest = 6 * intervalMillis
  return { from: warmUpMillis, until: warmUpMillis + Math.max(faultMillis, 2 * shortest), shortest }
}

/** Does all of it, prints the ledger and hands it to `verify`. When that throws, what the processes said is kept. */
export const run = (options: RunOptions, verify: (accounts: Summary.Accounts) => void): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { engines, faults, interval, monitors, settings = {}, places = Fleet.twoRegions } = options
    const intervalMillis = interval * 1000
    const warmUpMillis = 2 * intervalMillis
    const script = scriptFor(warmUpMillis, faults, intervalMillis)
    let passed = false
    return Effect.gen(function* () {
      const folder = yield* Fleet.folder(() => !passed)
      const counters = yield* Counters.make
      const targets = yield* Targets.make({ targets: monitors, script, probes: Fleet.probes, folder })
      const receiver = yield* Receiver.make
      const fleet = yield* Fleet.make({ engines, folder, counters, resolver: targets.resolver, settings, places })
      const ada = yield* Customer.make(fleet.apis)
      const ids = yield* watched(ada, options, { targets, hook: receiver.url })

      const began = yield* targets.begin
      const done: Customer.Work = { accepted: [], unanswered: 0, answered: 0 }
      const working = yield* Effect.forkChild(Customer.work(ada, targets.url("work"), done))
      yield* Effect.sleep(warmUpMillis)
      for (const { happen, name } of faults) {
        yield* Effect.logInfo(`Fault: ${name}`)
        yield* happen(fleet)
      }
      yield* Fiber.interrupt(working)
      yield* Effect.sleep(Math.max(0, began + script.until - Date.now()) + 3 * intervalMillis)
      yield* atRest(fleet, ids, intervalMillis)

      const stored = yield* Stored.read(fleet.databaseUrl, ids, targets.probeAt)
      const published = yield* Published.read(fleet.natsUrl, ids, targets.probeAt)
      const evidence: Evidence = {
        intervalMillis,
        monitors: ids,
        windows: ids.map((_, target) =>
          Script.windowsOf(target, script).map(({ from, to }) => ({ from: began + from, to: began + to }))
        ),
        regions: places,
        asked: yield* targets.asked,
        ...stored,
        repeated: Published.repetitions(published, stored.observed),
        received: receiver.received.map(({ at, body, headers }) => ({
          id: headers["webhook-id"]!,
          at,
          sentAt: Number(headers["webhook-timestamp"]) * 1000,
          event: body.event
        })),
        absences: fleet.absences()
      }
      const matches = match(evidence)
      const accounts: Summary.Accounts = {
        setting: `${monitors} monitors every ${interval} s in ${new Set(Object.values(places)).size} regions, ${Fleet.probes.length} probes, ${engines} engines, ${faults.length} faults in ${Math.round((Date.now() - began) / 1000)} s`,
        slots: SlotLedger.account(evidence, matches),
        repeated: evidence.repeated.length,
        truth: TruthLedger.account(evidence, matches),
        changes: ChangeLedger.account(evidence),
        dating: DatingLedger.account(evidence),
        alerts: AlertLedger.account(
          evidence,
          rules.map(({ name }) => name)
        ),
        takeovers: Takeover.measure(evidence),
        counted: countedBy(counters),
        customer: {
          ...done,
          accepted: done.accepted.length,
          missing: done.accepted.filter((name) => !stored.names.includes(name)),
          twice: done.accepted.filter((name) => stored.names.indexOf(name) !== stored.names.lastIndexOf(name))
        }
      }
      const text = Summary.print(accounts)
      yield* Effect.logInfo(text)
      const file = process.env["KANMON_FAULT_LEDGER"]
      if (file !== undefined) appendFileSync(file, text)
      verify(accounts)
      passed = true
    }).pipe(Effect.scoped)
  })

/** Creates the rules with a channel each, and a monitor of every target; answers the monitors' ids. */
const watched = (
  customer: Customer.Customer,
  { interval, monitors }: RunOptions,
  { hook, targets }: { readonly targets: Targets.Targets; readonly hook: string }
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    for (const rule of rules) {
      const channel = { name: rule.name, type: "webhook", config: { url: hook } }
      const { id } = (yield* customer.insist("POST", "/notification-channels", channel)).body
      yield* customer.insist("POST", "/alert-rules", { ...rule, trigger: "monitor_down", channelIds: [id] })
    }
    return yield* Effect.forEach(
      Array.from({ length: monitors }),
      (_, target) => {
        const monitor = { name: `target ${target}`, type: "http", url: targets.url(target), interval }
        return Effect.map(customer.insist("POST", "/monitors", monitor), ({ body }) => body.id as string)
      },
      { concurrency: 8 }
    )
  })

/** Waits until everything that was on its way has arrived. If it does not, the ledger says what is missing. */
const atRest = (fleet: Fleet.Fleet, monitors: ReadonlyArray<string>, intervalMillis: number): Effect.Effect<void> =>
  Effect.catchCause(
    Effect.asVoid(
      eventually(
        Stored.unsettled(fleet.databaseUrl, monitors, intervalMillis),
        ({ late, pending }) => late === 0 && pending === 0
      )
    ),
    (cause) => Effect.logWarning("The product did not come to rest", cause)
  )

const countedBy = (counters: Counters.Counters): Summary.Accounts["counted"] => {
  const count = (processes: string, counter: string): number =>
    Object.values(counters.total(processes, counter)).reduce((sum, one) => sum + one, 0)
  return {
    skipped: count("probe", "kanmon_slots_skipped"),
    saturated: count("probe", "kanmon_checks_saturated"),
    dropped: count("probe", "kanmon_observations_dropped"),
    missed: count("engine", "kanmon_messages_missed"),
    ...counters.total("engine", "kanmon_observations_left_out")
  }
}
