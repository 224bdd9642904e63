/** Examples of changes that are made together. */
export const changes = {
  dryRun: true,
  changes: [
    {
      action: "create",
      kind: "monitor",
      body: { key: "shop", name: "Shop", type: "http", url: "https://shop.example" }
    },
    { action: "create", kind: "rule", body: { key: "shop-down", name: "Shop is down", monitorIds: ["new:shop"] } },
    {
      action: "delete",
      kind: "page",
      id: "sp_01m7xs8mrbmd3ef5jxd1fat24r",
      ifUpdatedAt: "2026-11-20T08:30:00.000Z"
    }
  ]
} as const

export const changesResult = {
  dryRun: true,
  results: [
    { id: "mon_01m7xs8mrbmd3ef5jxd1fat24r" },
    { id: "rul_01m7xs8mrbmd3ef5jxd1fat24r" },
    { id: "sp_01m7xs8mrbmd3ef5jxd1fat24r" }
  ]
} as const
