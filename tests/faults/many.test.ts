/**
 * A whole installation of many processes, 2,000 monitors, and everything that can go away going away, alone and in pairs,
 * while targets flip on a script. In the end a ledger compares what really was with what the product stored and sent.
 * See README.md.
 */
import { writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as NatsServer from "../support/NatsServer.ts"
import { eventually } from "../support/Product.ts"
import * as Receiver from "../support/Receiver.ts"
import * as AlertLedger from "./AlertLedger.ts"
import * as ChangeLedger from "./ChangeLedger.ts"
import * as Counters from "./Counters.ts"
import * as Customer from "./Customer.ts"
import type { Evidence } from "./Evidence.ts"
import * as Faults from "./Faults.ts"
import * as Fleet from "./Fleet.ts"
import { match } from "./Match.ts"
import * as Script from "./Script.ts"
import * as SlotLedger from "./SlotLedger.ts"
import * as Stored from "./Stored.ts"
import * as Summary from "./Summary.ts"
import * as Takeover from "./Takeover.ts"
import * as Targets from "./Targets.ts"
import * as TruthLedger from "./TruthLedger.ts"

const numeric = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const monitors = numeric("KANMON_FAULT_MONITORS", 2000)
const interval = numeric("KANMON_FAULT_INTERVAL", 10)
const engines = numeric("KANMON_FAULT_ENGINES", 2)
const only = new RegExp(process.env["KANMON_FAULT_ONLY"] ?? "")
const intervalMillis = interval * 1000

/** A dead probe's monitors are asked by the others within this time. */
const takeoverMillis = 10_000
const warmUpMillis = 2 * intervalMillis

const faults = Faults.all(engines).filter(({ name }) => only.test(name))
const faultMillis = faults.reduce((sum, { millis }) => sum + millis, 0)
/** Longer than any fault but the long cut, which leaves another probe in the region: a window is noticed whatever happens. */
const shortest = 6 * intervalMillis
const script: Script.Script = {
  from: warmUpMillis,
  until: Math.max(warmUpMillis + faultMillis, warmUpMillis + 2 * shortest),
  shortest
}

const rules = [
  { name: "At once", consecutiveFailures: 1 },
  { name: "At the second", consecutiveFailures: 2 }
]

describe("an installation of many processes", () => {
  it.live.skipIf(NatsServer.skipped)(
    "keeps its ledger whatever goes away",
    () => {
      let passed = false
      return Effect.gen(function* () {
        const folder = yield* Fleet.folder(() => !passed)
        const counters = yield* Counters.make
        const targets = yield* Targets.make({ targets: monitors, script, probes: Fleet.probes, folder })
        const receiver = yield* Receiver.make
        const fleet = yield* Fleet.make({ engines, folder, counters, resolver: targets.resolver })
        const ada = yield* Customer.make(fleet.apis)
        for (const rule of rules) {
          const channel = { name: rule.name, type: "webhook", config: { url: receiver.url } }
          const { id } = (yield* ada.insist("POST", "/notification-channels", channel)).body
          yield* ada.insist("POST", "/alert-rules", { ...rule, trigger: "monitor_down", channelIds: [id] })
        }
        const ids = yield* Effect.forEach(
          Array.from({ length: monitors }),
          (_, target) =>
            Effect.map(
              ada.insist("POST", "/monitors", {
                name: `target ${target}`,
                type: "http",
                url: targets.url(target),
                interval
              }),
              ({ body }) => body.id as string
            ),
          { concurrency: 8 }
        )
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
        // Everything that was on its way arrives. If it does not, the ledger says what is missing.
        yield* Effect.catchCause(
          eventually(
            Stored.unsettled(fleet.databaseUrl, ids, intervalMillis),
            ({ late, pending }) => late === 0 && pending === 0,
            240
          ),
          (cause) => Effect.logWarning("The product did not come to rest", cause)
        )

        const stored = yield* Stored.read(fleet.databaseUrl, ids, targets.probeAt)
        const evidence: Evidence = {
          intervalMillis,
          monitors: ids,
          windows: ids.map((_, target) =>
            Script.windowsOf(target, script).map(({ from, to }) => ({ from: began + from, to: began + to }))
          ),
          regions: Fleet.regions,
          asked: yield* targets.asked,
          ...stored,
          received: receiver.received.map(({ at, body, headers }) => ({
            id: headers["webhook-id"]!,
            at,
            event: body.event
          })),
          absences: fleet.absences()
        }
        const matches = match(evidence)
        const count = (processes: string, counter: string): number =>
          Object.values(counters.total(processes, counter)).reduce((sum, one) => sum + one, 0)
        const accounts: Summary.Accounts = {
          setting: `${monitors} monitors every ${interval} s in 2 regions, ${Fleet.probes.length} probes, ${engines} engines, ${faults.length} faults in ${Math.round((Date.now() - began) / 1000)} s`,
          slots: SlotLedger.account(evidence, matches),
          truth: TruthLedger.account(evidence, matches),
          changes: ChangeLedger.account(evidence),
          alerts: AlertLedger.account(
            evidence,
            rules.map(({ name }) => name)
          ),
          takeovers: Takeover.measure(evidence),
          counted: {
            skipped: count("probe", "kanmon_slots_skipped"),
            saturated: count("probe", "kanmon_checks_saturated"),
            dropped: count("probe", "kanmon_observations_dropped"),
            ...counters.total("engine", "kanmon_observations_left_out")
          },
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
        if (file !== undefined) writeFileSync(file, text)
        judge(accounts)
        passed = true
      }).pipe(Effect.scoped)
    },
    1_500_000
  )
})

const judge = ({ alerts, changes, counted, customer, slots, takeovers, truth }: Summary.Accounts): void => {
  const nothing = (lines: ReadonlyArray<string>, what: string): void =>
    assert.deepStrictEqual(lines.slice(0, 5), [], `${what}: ${lines.length}`)
  nothing(slots.lost, "slots that were checked and not stored")
  nothing(slots.twice, "slots stored twice")
  assert.isAtMost(slots.skipped, counted["skipped"] ?? 0, "what was not checked was counted as skipped")
  nothing(truth.false, "observations that say what was not so")
  nothing(changes.wrong, "time lines that do not fit the script")
  assert.strictEqual(changes.told, changes.windows, "every time of being down is told once")
  nothing(alerts.wrong, "alerts")
  nothing(customer.missing, "accepted requests that were lost")
  nothing(customer.twice, "accepted requests that were carried out twice")
  for (const { absence, complete, taken } of takeovers) {
    if (absence.how === "killed" && taken > 0)
      assert.isAtMost(complete!, takeoverMillis, `until the monitors of ${absence.name} were asked by another probe`)
  }
}
