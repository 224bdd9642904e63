/** Plans: what an account may have, over all its projects, and what that costs a month. */
import type { Currency } from "./Money.ts"
import { PlanId } from "./Ids.ts"

/** As many monitors as one likes. */
export const unlimited = -1

/** The limits of a plan: what monitors are held to. */
export interface PlanLimits {
  /** How many monitors an account may have; `unlimited` is as many as it likes. */
  readonly monitors: number
  /** The shortest interval between checks, seconds. */
  readonly checkInterval: number
}

export interface Plan extends PlanLimits {
  readonly id: PlanId
  readonly name: string
  /** Regions that are promised; null says nothing of them. Not enforced. */
  readonly regions: number | null
  readonly customDomain: boolean
  readonly unlimitedTeamMembers: boolean
  readonly sso: boolean
  /** A month, in the currency's minor units. */
  readonly priceMinor: number
  readonly currency: Currency
}

/** The plan that is always there. What it includes, every plan includes: nobody loses a feature by paying. */
export const freePlanId = PlanId.make("plan_free")

/** The plan of every account where nothing is sold: as many monitors as one likes, at the shortest interval there is. */
export const unlimitedPlanId = PlanId.make("plan_enterprise")

/** How many monitors a plan has room for. */
export const roomOf = ({ monitors }: PlanLimits): number =>
  monitors === unlimited ? Number.POSITIVE_INFINITY : monitors
