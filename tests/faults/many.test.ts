/**
 * A whole installation of many processes, 2,000 monitors, and everything that can go away going away, alone and in pairs,
 * while targets flip on a script. See README.md.
 */
import { describe, it } from "@effect/vitest"
import * as NatsServer from "../support/NatsServer.ts"
import * as Faults from "./Faults.ts"
import * as Assertions from "./Assertions.ts"
import { run } from "./Run.ts"

const numeric = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
const engines = numeric("KANMON_FAULT_ENGINES", 2)
const only = new RegExp(process.env["KANMON_FAULT_ONLY"] ?? "")

describe("an installation of many processes", () => {
  it.live.skipIf(NatsServer.skipped)(
    "keeps a clean ledger under every fault",
    () =>
      run(
        {
          monitors: numeric("KANMON_FAULT_MONITORS", 2000),
          interval: numeric("KANMON_FAULT_INTERVAL", 10),
          engines,
          faults: Faults.all(engines).filter(({ name }) => only.test(name))
        },
        (accounts) => {
          Assertions.nothing(accounts.slots.lost, "slots that were checked and not stored")
          Assertions.hold(accounts)
        }
      ),
    1_500_000
  )
})
