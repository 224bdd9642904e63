/**
 * A bus without room: nobody reads it for so long that it drops what it was given. That is lost for good, and the product says
 * how much it was; what is left is judged as ever, and no change that lasted is missed. See README.md.
 */
import { assert, describe, it } from "@effect/vitest"
import * as NatsServer from "../support/NatsServer.ts"
import * as Faults from "./Faults.ts"
import * as Assertions from "./Assertions.ts"
import { run } from "./Run.ts"

const monitors = 400
const interval = 10
/** Room for the observations of about half a minute. */
const megabytes = 2
/** Where a reader is may be told this much too late: those seconds are counted as missed, and were read. */
const savedMillis = 5000

describe("an installation whose bus overflows", () => {
  it.live.skipIf(NatsServer.skipped)(
    "counts lost observations, and continues",
    () =>
      run(
        {
          monitors,
          interval,
          engines: 1,
          faults: [Faults.overflow],
          settings: { KANMON_STREAM_MEGABYTES: String(megabytes) }
        },
        (accounts) => {
          const lost = accounts.slots.lost.length
          const missed = accounts.counted["missed"] ?? 0
          assert.isAbove(lost, 0, "the bus did overflow")
          assert.isAtMost(lost, missed, "what was lost was counted")
          const perSecond = (2 * monitors) / interval
          // The customer's monitors have one check in each region, which the ledger does not know of.
          const unknown = 2 * accounts.customer.accepted
          assert.isAtMost(missed, lost + unknown + (2 * perSecond * savedMillis) / 1000, "and not much more than that")
          Assertions.hold(accounts)
        }
      ),
    600_000
  )
})
