/** What a plan does not allow, in the words of the wire: what, which field, and what to do about it. */
import { Problem } from "@kanmon/protocol/Problem"
import type { PlanLimitReached } from "@kanmon/store/billing/Standing"

const wayOut = (canPay: boolean): string =>
  canPay
    ? "change your plan (POST /billing/checkout)"
    : "ask whoever runs this installation: KANMON_DEFAULT_PLAN lifts the limits"

const words = ({ current, limit, limited, planName }: PlanLimitReached, more: string): string => {
  switch (limited) {
    case "monitors":
      return `The plan ${planName} has room for ${limit} monitors over all your projects, and you have ${current}; delete one, or ${more}`
    case "running":
      return `The plan ${planName} lets ${limit} monitors run, and ${current} do; pause or delete another one, or ${more}`
    case "interval":
      return `The plan ${planName} checks every ${limit} seconds at most, not every ${current}; choose a longer interval, or ${more}`
    case "customDomain":
      return `The plan ${planName} includes no domain of your own; leave it out, or ${more}`
    case "phoneNumbers":
      return `The plan ${planName} includes no text messages and phone calls; choose another type of channel, or ${more}`
  }
}

const fields: Readonly<Record<PlanLimitReached["limited"], string | undefined>> = {
  monitors: undefined,
  running: "paused",
  interval: "interval",
  customDomain: "customDomain",
  phoneNumbers: "type"
}

/** `canPay`: another plan can be bought here. */
export const problem = (reached: PlanLimitReached, canPay: boolean): Problem => {
  const { current, limit, limited, planId } = reached
  const message = words(reached, wayOut(canPay))
  const path = fields[limited]
  return new Problem({
    code: "plan_limit_reached",
    detail: path === undefined ? message : `${path}: ${message}`,
    planLimit: { limit, current, planId },
    ...(path === undefined ? {} : { errors: [{ path, message }] })
  })
}
