/** The notes of an import about what was changed here. */
import type { ImportPlan } from "@kanmon/protocol/ImportBody"
import { t } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { lengthened } from "./fitting.ts"

type Plan = typeof ImportPlan.Encoded

/** A note about each monitor that gets the shortest interval of the plan. */
export const notesOfIntervals = (plan: Plan): Plan["notes"] => {
  const ours = duration(plan.shortestInterval)
  return lengthened(plan).map(({ interval, name, retryInterval }) => ({
    about: t("Monitor {name}", { name }),
    leftOut: false,
    review: false,
    notes: [
      ...(interval === undefined
        ? []
        : [
            t("It is checked every {ours}, the shortest interval of the plan, not every {theirs}.", {
              ours,
              theirs: duration(interval)
            })
          ]),
      ...(retryInterval === undefined
        ? []
        : [
            t("After a failure it is checked again after {ours}, not after {theirs}.", {
              ours,
              theirs: duration(retryInterval)
            })
          ])
    ]
  }))
}
