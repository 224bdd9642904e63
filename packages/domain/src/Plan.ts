/** Plans: an organization's limits over all its projects, and the monthly price. */
import type { Currency } from "./Money.ts"
import { PlanId } from "./Ids.ts"

/** No limit on monitors. */
export const unlimited = -1

/** The limits that monitors are held to. */
export interface PlanLimits {
  /** How many monitors an organization may have; `unlimited` means no limit. */
  readonly monitors: number
  /** The shortest interval between checks, seconds. */
  readonly checkInterval: number
}

export interface Plan extends PlanLimits {
  readonly id: PlanId
  readonly name: string
  /** Number of regions shown in the price list; null hides it. Not enforced. */
  readonly regions: number | null
  readonly customDomain: boolean
  readonly unlimitedTeamMembers: boolean
  readonly sso: boolean
  /** Monthly price in the currency's minor units. */
  readonly priceMinor: number
  readonly currency: Currency
}

/** The plan that always exists. Every plan includes all features of it. */
export const freePlanId = PlanId.make("plan_free")

/** The plan of every organization when billing is disabled: no limit on monitors, and the shortest interval. */
export const unlimitedPlanId = PlanId.make("plan_enterprise")

/** Members that a plan without `unlimitedTeamMembers` includes. Viewers are free. */
export const includedMembers = 3

/** How many members besides viewers fit a plan. One without a limit on monitors has none on members. */
export const memberRoomOf = ({ monitors, unlimitedTeamMembers }: Plan): number =>
  unlimitedTeamMembers || monitors === unlimited ? Number.POSITIVE_INFINITY : includedMembers

/** How many monitors fit a plan. */
export const roomOf = ({ monitors }: PlanLimits): number =>
  monitors === unlimited ? Number.POSITIVE_INFINITY : monitors
