/** Every page of the dashboard, and things for each of them to show. */
import { layerOf } from "../support/OnCallBodies.ts"
import type { Visitor } from "./Visitor.ts"

const job = { type: "heartbeat", interval: 86_400 }

/** What stands for an id in an address, and the id. */
export type Ids = Readonly<Record<string, string>>

/** Creates one of everything with each of the names; answers the ids of the last ones. */
export const createEverything = async ({ call, origin, page }: Visitor, names: ReadonlyArray<string>): Promise<Ids> => {
  let ids: Ids = {}
  const [organization] = await call("get", "/organizations")
  const {
    user: { id: userId }
  } = await call("get", "/auth/get-session")
  for (const [index, name] of names.entries()) {
    const group = [name, name, "g"].map((part) => part.replaceAll("/", "").slice(0, 60).toWellFormed().trim()).join("/")
    const monitor = await call("post", "/monitors", { ...job, name, group, tags: ["t".repeat(64), "prod"] })
    const heartbeat = new URL(monitor.heartbeatUrl).pathname.split("/api/v1")[1]!
    await call("get", heartbeat)
    const hook = { type: "webhook", config: { url: `${origin}/${"long".repeat(100)}` } }
    const channel = await call("post", "/notification-channels", { ...hook, name })
    const rule = await call("post", "/alert-rules", {
      name,
      trigger: "monitor_down",
      consecutiveFailures: 1,
      monitorIds: [monitor.id],
      channelIds: [channel.id]
    })
    const incident = await call("post", "/incidents", {
      title: name,
      monitorIds: [monitor.id],
      status: "investigating",
      message: `${name} ${"Unbreakable".repeat(300)}`
    })
    const shown = await call("post", "/status-pages", {
      name,
      slug: `every-${index}`,
      monitors: [{ monitorId: monitor.id, displayGroup: name.slice(0, 100).toWellFormed().trim() }]
    })
    const schedule = await call("post", `/organizations/${organization.id}/schedules`, {
      name,
      timezone: "Europe/Berlin",
      layers: [layerOf(name, [userId], { restrictions: [{ weekdays: ["mon", "thu"], from: "08:00", to: "12:00" }] })]
    })
    const policy = await call("post", `/organizations/${organization.id}/escalation-policies`, {
      name,
      steps: [{ afterMinutes: 0, notify: [{ scheduleId: schedule.id }, { channelId: channel.id }] }]
    })
    const drill = await call("post", "/drills", { policyId: policy.id })
    await call("get", `${heartbeat}/fail`)
    const site = await call("post", "/monitors", { type: "http", url: `${origin}/`, interval: 60, name })
    ids = {
      $site: site.id,
      $monitor: monitor.id,
      $incident: incident.id,
      $channel: channel.id,
      $rule: rule.id,
      $page: shown.id,
      $schedule: schedule.id,
      $policy: policy.id,
      $drill: drill.id
    }
  }
  await page.goto(`${origin}/alerts`)
  const alert = await page.getByRole("listitem").getByRole("link").first().getAttribute("href")
  return { ...ids, $alert: alert?.split("/").at(-1) ?? "" }
}

/** Every page, by what it is about. */
export const everyPage: Readonly<Record<string, ReadonlyArray<string>>> = {
  monitors: ["/", "/monitors", "/monitors?by=group", "/monitors/new", "/import", "/welcome", "/wall"],
  "one monitor": [
    "/monitors/$monitor",
    ...["signals", "checks", "outages", "alerts", "code"].map((tab) => `/monitors/$monitor?view=${tab}`),
    "/monitors/$monitor/edit"
  ],
  "the monitor of a site": ["/monitors/$site", "/monitors/$site?view=checks", "/monitors/$site?view=outages"],
  alerts: ["/alerts", "/alerts/$alert", "/silences"],
  "on-call": [
    "/on-call",
    "/on-call/figures",
    "/on-call/figures?from=2026-01-01&to=2026-01-31",
    "/on-call/schedules/new",
    "/on-call/schedules/$schedule",
    "/on-call/schedules/$schedule?view=month",
    "/on-call/schedules/$schedule/edit",
    "/on-call/policies/new",
    "/on-call/policies/$policy",
    "/on-call/policies/$policy/edit",
    "/on-call/drills",
    "/on-call/drills/$drill"
  ],
  incidents: [
    "/incidents",
    "/incidents/$incident",
    "/incidents/$incident/edit",
    "/incidents/new",
    "/incidents/new?type=maintenance"
  ],
  "status pages": ["/status-pages", "/status-pages/new", "/status-pages/$page"],
  integrations: ["/integrations"],
  channels: ["/channels", "/channels/new", "/channels/new?type=slack", "/channels/$channel"],
  rules: ["/rules/new", "/rules/$rule"],
  settings: [
    "/settings",
    "/settings/account",
    "/settings/notifications",
    "/settings/organization",
    "/settings/members",
    "/settings/sign-on",
    "/settings/audit",
    "/settings/billing",
    "/settings/installation"
  ],
  "signing in": [
    "/sign-in",
    "/sign-up",
    "/forgot-password",
    "/reset-password?token=none",
    "/invitation?token=none",
    "/device",
    "/device?user_code=BCDF-GHJK",
    "/nowhere"
  ]
}

/** The address with the ids in it. */
export const addressOf = (address: string, ids: Ids): string => address.replace(/[$]\w+/, (name) => ids[name] ?? name)
