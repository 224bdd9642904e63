/** Monitors a site, and prints what is down: `KANMON_URL=… KANMON_KEY=km_… node watch.ts https://example.org` */
import * as Kanmon from "@kanmon/protocol/Kanmon"

const kanmon = Kanmon.make({ baseUrl: process.env["KANMON_URL"]!, apiKey: process.env["KANMON_KEY"]! })
const url = process.argv[2] ?? "https://example.org"

try {
  const monitor = await kanmon.monitors.create(
    { name: "Example", type: "http", url, interval: 60 },
    { idempotencyKey: `watch-${url}` }
  )
  console.log(`${monitor.id} watches ${url}`)
  for await (const { lastCheckedAt, name } of kanmon.monitors.list({ status: "down" })) {
    console.log(`${name} is down, checked last at ${lastCheckedAt}`)
  }
} catch (error) {
  if (!(error instanceof Kanmon.KanmonError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
