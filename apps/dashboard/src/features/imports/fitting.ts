/** The steps of an import against what the project has and what its plan allows. Pure. */
import type { ImportPlan } from "@kanmon/protocol/ImportBody"

type Plan = typeof ImportPlan.Encoded
type Step = Plan["steps"][number]

const secondsIn = ({ body }: Step, field: string): number | undefined => {
  const value = body[field]
  return typeof value === "number" ? value : undefined
}

const isBelow = (seconds: number | undefined, { shortestInterval }: Plan): boolean =>
  seconds !== undefined && seconds < shortestInterval

const isTooOften = (step: Step, plan: Plan): boolean =>
  step.kind === "monitor" &&
  !step.exists &&
  (isBelow(secondsIn(step, "interval"), plan) || isBelow(secondsIn(step, "retryInterval"), plan))

/** The monitors that the plan of the organization refuses for their intervals. */
export const tooOften = (plan: Plan): ReadonlyArray<Step> => plan.steps.filter((step) => isTooOften(step, plan))

/** The plan of the import with the shortest interval that is allowed for these monitors. */
export const paced = (plan: Plan): Plan => {
  const refused = new Set(tooOften(plan))
  const { shortestInterval: shortest } = plan
  return {
    ...plan,
    steps: plan.steps.map((step) => {
      if (!refused.has(step)) return step
      const { retryInterval: _, ...body } = step.body
      const [interval = shortest, retry] = [secondsIn(step, "interval"), secondsIn(step, "retryInterval")]
      const [slower, again] = [Math.max(shortest, interval), Math.max(shortest, retry ?? 0)]
      // A retry interval is shorter than the interval, or there is none.
      return {
        ...step,
        body: { ...body, interval: slower, ...(retry !== undefined && again < slower ? { retryInterval: again } : {}) }
      }
    })
  }
}

/** The seconds of a monitor that become the shortest interval; those that stay are undefined. */
export const lengthened = (plan: Plan) =>
  tooOften(plan).map((step) => {
    const changed = (field: string) => {
      const seconds = secondsIn(step, field)
      return isBelow(seconds, plan) ? seconds : undefined
    }
    return { name: step.name, interval: changed("interval"), retryInterval: changed("retryInterval") }
  })

const refsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refsIn) : []
}

/** The steps that create a record: neither exists it already, nor is it refused, nor does it need one that is refused. */
export const creatable = (plan: Plan): ReadonlyArray<Step> => {
  const refused = new Set(tooOften(plan).map(({ ref }) => ref))
  for (const { body, exists, ref } of plan.steps)
    if (!exists && refsIn(body).some((one) => refused.has(one))) refused.add(ref)
  return plan.steps.filter(({ exists, ref }) => !exists && !refused.has(ref))
}
