/** `kanmon region`: lists and closes regions. */
import { toIso } from "@kanmon/domain/Timestamp"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { ProbeRegionRepository, RegionClosing } from "@kanmon/monitoring/regions"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { database } from "./Migrate.ts"

const withRegions = <A, E>(effect: Effect.Effect<A, E, ProbeRegionRepository>) =>
  Migrations.run.pipe(Effect.andThen(effect), Effect.provide(ProbeRegionRepository.layer), Effect.provide(database))

const list = Command.make("list", {}, () =>
  withRegions(
    Effect.gen(function* () {
      const regions = yield* (yield* ProbeRegionRepository).list
      if (regions.length === 0) return yield* Console.log("No region has had a probe yet.")
      for (const { label, lastSeenAt, monitors } of regions)
        yield* Console.log(
          `${label.padEnd(16)} last probe seen ${toIso(lastSeenAt)}  monitors that name it: ${monitors}`
        )
    })
  )
).pipe(Command.withDescription("Lists the regions that have had a probe"))

const close = Command.make(
  "close",
  {
    label: Argument.String("label"),
    force: Flag.Boolean("force").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Even if monitors are checked from this region alone")
    )
  },
  ({ force, label }) =>
    withRegions(
      Effect.gen(function* () {
        yield* RegionClosing.close(label, force)
        yield* Console.log(`${label} is closed. If KANMON_REGIONS names it, remove it there, too.`)
      })
    )
).pipe(Command.withDescription("Removes a region that no longer has probes; a new probe there opens it again"))

export const region = Command.make("region").pipe(
  Command.withDescription("The regions from which monitors are checked"),
  Command.withSubcommands([list, close])
)
