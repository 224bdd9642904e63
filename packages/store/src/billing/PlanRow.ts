/** Plans as rows. */
import type { PlanId } from "@kanmon/domain/Ids"
import type { Currency } from "@kanmon/domain/Money"
import type { Plan } from "@kanmon/domain/Plan"

export interface PlanRow {
  readonly id: PlanId
  readonly name: string
  readonly monitors: number
  readonly check_interval: number
  readonly regions: number | null
  readonly custom_domain: boolean
  readonly unlimited_team_members: boolean
  readonly sso: boolean
  readonly price_minor: number
  readonly currency: Currency
}

export const readPlan = (row: PlanRow): Plan => ({
  id: row.id,
  name: row.name,
  monitors: row.monitors,
  checkInterval: row.check_interval,
  regions: row.regions,
  customDomain: row.custom_domain,
  unlimitedTeamMembers: row.unlimited_team_members,
  sso: row.sso,
  priceMinor: row.price_minor,
  currency: row.currency
})
