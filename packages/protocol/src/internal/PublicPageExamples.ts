/** Examples of what a status page shows the public, for the OpenAPI document. */
import type { PublicStatusPage } from "../PublicPageBody.ts"
import type * as Statuspage from "../Statuspage.ts"

const monitorId = "mon_01m7xs8mrbmd3ef5jxd1fat24r"
const url = "https://acme.pages.example"
const updatedAt = "2026-11-20T09:15:00.000Z"

export const record: typeof PublicStatusPage.Encoded = {
  name: "Acme",
  slug: "acme",
  url,
  updatedAt,
  status: { indicator: "operational", description: "All systems operational" },
  monitors: [
    {
      id: monitorId,
      name: "Shop",
      displayGroup: "Shop",
      status: "up",
      since: "2026-11-20T09:07:10.000Z",
      uptime24h: 99.65,
      uptime7d: 99.95,
      uptime30d: 99.98,
      uptime90d: 99.98,
      days: [{ date: "2026-11-20", uptime: 99.65, downtime: 300 }],
      outages: [{ startedAt: "2026-11-20T09:02:10.000Z", endedAt: "2026-11-20T09:07:10.000Z" }],
      responseTimes: [82.4, 84.1, null]
    }
  ],
  incidents: [],
  maintenances: [],
  history: [],
  nextCursor: null
}

const page = { id: "acme", name: "Acme", url, time_zone: "Etc/UTC", updated_at: updatedAt }

export const status: typeof Statuspage.Status.Encoded = {
  page,
  status: { indicator: "none", description: "All Systems Operational" }
}

export const components: typeof Statuspage.Components.Encoded = {
  page,
  components: [
    {
      id: monitorId,
      name: "Shop",
      status: "operational",
      created_at: "2026-11-20T00:00:00.000Z",
      updated_at: "2026-11-20T09:07:10.000Z",
      description: null,
      showcase: true,
      start_date: "2026-11-20",
      page_id: "acme",
      group: false,
      only_show_if_degraded: false,
      position: 1,
      group_id: null
    }
  ]
}

export const incidents: typeof Statuspage.Incidents.Encoded = { page, incidents: [] }
export const maintenances: typeof Statuspage.Maintenances.Encoded = { page, scheduled_maintenances: [] }
export const summary: typeof Statuspage.Summary.Encoded = {
  ...components,
  ...incidents,
  ...maintenances,
  ...status
}

export const atom = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title></feed>`
export const rss = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>Acme</title></channel></rss>`
export const jsonFeed = `{"version":"https://jsonfeed.org/version/1.1","title":"Acme","items":[]}`
export const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><title>Acme: operational</title></svg>`
