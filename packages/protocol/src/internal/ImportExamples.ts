/** Examples of imports for the OpenAPI document. */
import type { ImportPlan } from "../ImportBody.ts"

export const plan: typeof ImportPlan.Encoded = {
  counts: { monitors: 1, channels: 0, rules: 0, pages: 1, maintenance: 0 },
  steps: [
    {
      ref: "ref_5xw2_monitor_shop",
      kind: "monitor",
      name: "Shop",
      path: "/monitors",
      body: { key: "shop", name: "Shop", type: "http", url: "https://shop.example.org", interval: 60 },
      exists: false
    },
    {
      ref: "ref_5xw2_page_status",
      kind: "page",
      name: "Status",
      path: "/status-pages",
      body: {
        key: "status",
        name: "Status",
        slug: "status",
        monitors: [{ monitorId: "ref_5xw2_monitor_shop", displayGroup: null }]
      },
      exists: false
    }
  ],
  shortestInterval: 60,
  notes: [
    {
      about: "Monitor Game server",
      leftOut: true,
      review: false,
      notes: ["Its type gamedig: there is no such check here."]
    }
  ]
}
