/** Warnings about the settings of a monitor, beside those about its target. Pure. */
import type { Monitor } from "@kanmon/domain/Monitor"
import type { Warning } from "@kanmon/protocol/MonitorBody"

/** A timeout above this share of the interval leaves no room between two checks that time out. */
const nearShare = 0.8

/** How many duplicates a warning names. */
const maxNamed = 3

interface Context {
  readonly knownRegions: ReadonlyArray<string>
  /** The default timeout of the type, in seconds. */
  readonly defaultTimeout: number | undefined
  /** Other monitors of the project with the same type and target. */
  readonly duplicates: ReadonlyArray<Pick<Monitor, "id" | "name">>
}

export const ofSettings = (
  { interval, regions, signalToken, timeout }: Pick<Monitor, "interval" | "regions" | "signalToken" | "timeout">,
  { defaultTimeout = 0, duplicates, knownRegions }: Context
): ReadonlyArray<Warning> => {
  const unknown = regions.filter((region) => !knownRegions.includes(region))
  // A default that was lowered to the interval is not the user's choice.
  const chosen = timeout !== Math.min(defaultTimeout, interval)
  const near = signalToken === null && chosen && timeout > nearShare * interval
  return [
    ...unknown.map((region) => ({
      code: "region_unknown",
      message: `There is no region ${region} now; it does not check the monitor until a probe runs there`
    })),
    ...(near
      ? [
          {
            code: "timeout_near_interval",
            message: `The timeout of ${timeout} seconds is close to the interval of ${interval} seconds: a check that times out leaves little time before the next one`
          }
        ]
      : []),
    ...(duplicates.length === 0
      ? []
      : [{ code: "duplicate_target", message: `The same target is checked by ${namesOf(duplicates)}` }])
  ]
}

const namesOf = (monitors: Context["duplicates"]): string => {
  const named = monitors.slice(0, maxNamed).map(({ id, name }) => `${name} (${id})`)
  const rest = monitors.length - named.length
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and others`
}
