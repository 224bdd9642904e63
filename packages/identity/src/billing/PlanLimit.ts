/** The problem response for an exceeded plan limit, with the limit, the field and a remedy. */
import { counted } from "@kanmon/domain/Counted"
import { Problem } from "@kanmon/protocol/Problem"
import type { PlanLimitReached } from "./Entitlement.ts"

const remedy = (canPay: boolean): string =>
  canPay ? "change your plan (POST /billing/checkout)" : "ask the operator: KANMON_DEFAULT_PLAN lifts the limits"

const words = ({ current, limit, limited, planName }: PlanLimitReached, more: string): string => {
  switch (limited) {
    case "monitors":
      return `The plan ${planName} includes ${counted(limit, "monitor")} over all your projects, and you have ${current}; delete one, or ${more}`
    case "sharedMonitors":
      return `The plan ${planName} includes ${counted(limit, "monitor")} over all organizations without a subscription that one account founded, and together they have ${current}; delete one, subscribe to a plan for this organization, or ${more}`
    case "running":
      return `The plan ${planName} includes ${counted(limit, "running monitor")}, and you have ${current}; pause or delete one, or ${more}`
    case "interval":
      return `The shortest interval of the plan ${planName} is ${limit} seconds, not ${current}; choose a longer interval, or ${more}`
    case "retryInterval":
      return `The shortest interval of the plan ${planName} is ${limit} seconds, also for retries, not ${current}; choose a longer retry interval, or ${more}`
    case "customDomain":
      return `The plan ${planName} includes no custom domain; omit the field, or ${more}`
    case "phoneNumbers":
      return `The plan ${planName} includes no text messages and phone calls; choose another type of channel, or ${more}`
  }
}

const fields: Readonly<Record<PlanLimitReached["limited"], string | undefined>> = {
  monitors: undefined,
  sharedMonitors: undefined,
  running: "paused",
  interval: "interval",
  retryInterval: "retryInterval",
  customDomain: "customDomain",
  phoneNumbers: "type"
}

/** `canPay`: whether plans can be bought. */
export const problem = (reached: PlanLimitReached, canPay: boolean): Problem<"plan_limit_reached"> => {
  const { current, limit, limited, planId } = reached
  const message = words(reached, remedy(canPay))
  const path = fields[limited]
  return new Problem({
    code: "plan_limit_reached",
    detail: path === undefined ? message : `${path}: ${message}`,
    planLimit: { limit, current, planId },
    ...(path === undefined ? {} : { errors: [{ path, message }] })
  })
}
