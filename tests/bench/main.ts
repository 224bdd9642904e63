/** `npm run bench`: measures Kanmon's performance on this machine. `-- --monitors 10000 --seconds 30` */
import { parseArgs } from "node:util"
import * as Alerts from "./Alerts.ts"
import { script } from "./Child.ts"
import * as Dashboard from "./Dashboard.ts"
import * as EndToEnd from "./EndToEnd.ts"
import * as Engines from "./Engines.ts"
import * as Heartbeats from "./Heartbeats.ts"
import * as Hostile from "./Hostile.ts"
import * as Ingest from "./Ingest.ts"
import * as Page from "./Page.ts"
import { heading, row, tenths } from "./report.ts"
import * as Reads from "./Reads.ts"
import * as Roles from "./Roles.ts"
import * as Server from "./Server.ts"
import * as Small from "./Small.ts"

const { values } = parseArgs({
  options: {
    monitors: { type: "string", default: "5000" },
    seconds: { type: "string", default: "30" },
    only: { type: "string" }
  }
})
const wanted = (part: string): boolean => values.only === undefined || values.only === part

if (wanted("actors")) {
  heading("Idle monitors: 10,000 actors")
  const { first } = await script<{ readonly bytes: number }>("actors.ts", ["10000"], ["--expose-gc"])
  row("heap per idle monitor", `${tenths(first.bytes / 1024)} KB`, "at most 8 KB")
}

for (const [part, bench] of [
  ["alerts", Alerts],
  ["dashboard", Dashboard],
  ["engines", Engines],
  ["heartbeats", Heartbeats],
  ["hostile", Hostile],
  ["page", Page],
  ["reads", Reads]
] as const) {
  if (!wanted(part)) continue
  const server = await Server.make()
  try {
    await bench.run(server)
  } finally {
    await server.close()
  }
}

if (wanted("small")) await Small.run({ seconds: Number(values.seconds) })

if (wanted("roles")) {
  const server = await Server.make()
  try {
    await Roles.run(server, { monitors: Number(values.monitors), seconds: Number(values.seconds) })
  } finally {
    await server.close()
  }
}

if (wanted("end-to-end") || wanted("ingest")) {
  const server = await Server.make()
  try {
    if (wanted("end-to-end")) {
      await EndToEnd.run(server, { monitors: Number(values.monitors), seconds: Number(values.seconds) })
      await server.stop()
    }
    if (wanted("ingest")) await Ingest.run(server.databaseUrl)
  } finally {
    await server.close()
  }
}
process.exit(0)
