/**
 * Regions that are cut off from the engine, fifty times, for less than the time after which others decide without them: the bus is
 * killed, or the wire of one region is cut. What their probes saw meanwhile arrives in any order, and dates no outage wrongly.
 */
import { describe, it } from "@effect/vitest"
import * as NatsServer from "../support/NatsServer.ts"
import * as Assertions from "./Assertions.ts"
import * as Fleet from "./Fleet.ts"
import * as Faults from "./Faults.ts"
import { run } from "./Run.ts"

const count = Number(process.env["KANMON_FAULT_CUTS"] ?? 50)

describe("an installation whose regions are cut off", () => {
  it.live.skipIf(NatsServer.skipped)(
    "dates no outage wrongly, neither its beginning nor its end",
    () =>
      run(
        {
          monitors: 240,
          interval: 10,
          engines: 1,
          // No other probe takes monitors over, and speaks before the one that had them.
          places: Fleet.threeRegions,
          faults: Faults.cuts(count)
        },
        (accounts) => {
          Assertions.nothing(accounts.dating, "outages that are dated wrongly")
          Assertions.nothing(accounts.slots.lost, "slots that were checked and not stored")
          Assertions.hold(accounts)
        }
      ),
    1_800_000
  )
})
