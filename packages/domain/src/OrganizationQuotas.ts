/** Limits of one organization over all its projects for each kind of record, independent of its plan. */

/** The counted kinds. Incidents and maintenance windows count until they are resolved. */
export const countedKinds = ["projects", "channels", "alertRules", "statusPages", "openIncidents"] as const
export type CountedKind = (typeof countedKinds)[number]

/** The most of each kind; Infinity allows any number. */
export type OrganizationQuotas = Readonly<Record<CountedKind, number>>

const any = Number.POSITIVE_INFINITY

/** No limits at all. */
export const unlimited: OrganizationQuotas = {
  projects: any,
  channels: any,
  alertRules: any,
  statusPages: any,
  openIncidents: any
}
