/** Monitors as Statuspage components. A group is a component that lists the IDs of its members. */
import { createHash } from "node:crypto"
import type { PublicMonitor, PublicPage } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { toIso } from "@kanmon/domain/Timestamp"

/** Statuses of a component, least severe first. */
const severity = ["operational", "under_maintenance", "degraded_performance", "partial_outage", "major_outage"] as const
type ComponentStatus = (typeof severity)[number]

/** A monitor, or a group of them. */
export interface Component {
  readonly id: string
  readonly name: string
  readonly status: ComponentStatus
  readonly created_at: string
  readonly updated_at: string
  /** From 1, within the page or within its group. */
  readonly position: number
  readonly description: null
  readonly showcase: boolean
  /** The first day with data, `YYYY-MM-DD`. */
  readonly start_date: string | null
  readonly group_id: string | null
  readonly page_id: string
  readonly group: boolean
  readonly only_show_if_degraded: boolean
  /** A group's components; no other component has this field. */
  readonly components?: ReadonlyArray<string>
}

/** In the page's order, each group before its components. */
export const componentsOf = (page: PublicPage): ReadonlyArray<Component> =>
  [...Map.groupBy(page.monitors, (monitor) => monitor.displayGroup ?? monitor)].flatMap(([place, members], index) =>
    typeof place === "string"
      ? groupOf(page, place, members, index + 1)
      : [componentOf(page, place, { position: index + 1, group_id: null })]
  )

const componentOf = (
  page: PublicPage,
  { days, id, name, since, status }: PublicMonitor,
  place: Pick<Component, "position" | "group_id">
): Component => {
  const firstDay = days.find(({ uptime }) => uptime !== null)?.date ?? null
  const known = Math.min(since ?? page.updatedAt, firstDay === null ? page.updatedAt : Date.parse(firstDay))
  return {
    id,
    name,
    status: statuses[status],
    // The monitor's creation date is not public.
    created_at: toIso(known),
    updated_at: toIso(since ?? known),
    description: null,
    showcase: true,
    start_date: firstDay,
    page_id: page.slug,
    group: false,
    only_show_if_degraded: false,
    ...place
  }
}

const groupOf = (
  page: PublicPage,
  name: string,
  monitors: ReadonlyArray<PublicMonitor>,
  position: number
): ReadonlyArray<Component> => {
  const id = groupId(page, name)
  const members = monitors.map((monitor, index) => componentOf(page, monitor, { position: index + 1, group_id: id }))
  const group: Component = {
    id,
    name,
    status: worst(members.map(({ status }) => status)),
    created_at: first(members.map(({ created_at }) => created_at)),
    updated_at: last(members.map(({ updated_at }) => updated_at)),
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: page.slug,
    group: true,
    only_show_if_degraded: false,
    components: members.map(({ id }) => id)
  }
  return [group, ...members]
}

/** Groups have no IDs, so it is derived from the heading and does not depend on the group's position. */
const groupId = ({ slug }: PublicPage, name: string): string =>
  `grp_${createHash("sha256").update(`${slug}\n${name}`).digest("hex").slice(0, 24)}`

const worst = (statuses: ReadonlyArray<ComponentStatus>): ComponentStatus =>
  severity.findLast((status) => statuses.includes(status)) ?? "operational"

const first = (instants: ReadonlyArray<string>): string => instants.toSorted()[0]!

const last = (instants: ReadonlyArray<string>): string => instants.toSorted().at(-1)!

const statuses: Record<MonitorStatus, ComponentStatus> = {
  up: "operational",
  degraded: "degraded_performance",
  down: "major_outage",
  maintenance: "under_maintenance",
  // Statuspage has no status for a paused component, and every other one would raise an alarm.
  paused: "operational",
  pending: "operational"
}
