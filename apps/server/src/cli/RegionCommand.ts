/** `kanmon region …`: the regions that an installation knows, and closing one. */
import { toIso } from "@kanmon/domain/Timestamp"
import * as Migrations from "@kanmon/store/database/Migrations"
import { ProbeRegions } from "@kanmon/store/regions/ProbeRegions"
import { Clock, Console, Data, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { database } from "./Migrate.ts"

class RegionNotClosed extends Data.TaggedError("RegionNotClosed")<{ readonly message: string }> {}

/** Longer than a dead probe may seem to be alive. */
const quietMillis = 60_000
const maxNamed = 10

const withRegions = <A, E>(effect: Effect.Effect<A, E, ProbeRegions>) =>
  Migrations.run.pipe(Effect.andThen(effect), Effect.provide(ProbeRegions.layer), Effect.provide(database))

const list = Command.make("list", {}, () =>
  withRegions(
    Effect.gen(function* () {
      const regions = yield* (yield* ProbeRegions).list
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
        const regions = yield* ProbeRegions
        const region = (yield* regions.list).find((one) => one.label === label)
        if (region === undefined) return yield* refuse(`There is no region ${label}; kanmon region list shows them`)
        const silence = (yield* Clock.currentTimeMillis) - region.lastSeenAt
        if (silence < quietMillis)
          return yield* refuse(
            `A probe of ${label} was alive ${Math.round(silence / 1000)} s ago. Stop its probes and try again in a minute`
          )
        const bound = yield* regions.bound(label, maxNamed)
        if (bound.length > 0 && !force) {
          const named = bound.map(({ id, projectId }) => `${id} (${projectId})`).join(", ")
          const more = bound.length === maxNamed ? " and perhaps others" : ""
          return yield* refuse(
            `Monitors are checked from ${label} alone: ${named}${more}. Give them other regions, or close it with --force: then nobody checks them`
          )
        }
        yield* regions.close(label)
        yield* Console.log(`${label} is closed. Take it out of KANMON_REGIONS, too, where it is named there.`)
      })
    )
).pipe(Command.withDescription("Forgets a region that has no probes any more; a new probe there opens it again"))

const refuse = (message: string) => new RegionNotClosed({ message })

export const region = Command.make("region").pipe(
  Command.withDescription("The regions from which monitors are checked"),
  Command.withSubcommands([list, close])
)
