/**
 * `npm run bench`: measures Kanmon's performance on this machine. `-- --monitors 10000 --seconds 30`, `-- --only small`.
 * `-- --table` runs what the table of docs/operate/sizing.md shows and writes it; with `--only`, that part's rows.
 */
import { parseArgs } from "node:util"
import * as Alerts from "./Alerts.ts"
import { script } from "./Child.ts"
import * as Ceiling from "./Ceiling.ts"
import * as Dashboard from "./Dashboard.ts"
import * as EndToEnd from "./EndToEnd.ts"
import * as Engines from "./Engines.ts"
import * as Figures from "./Figures.ts"
import * as Heartbeats from "./Heartbeats.ts"
import * as Hostile from "./Hostile.ts"
import * as Ingest from "./Ingest.ts"
import * as Leak from "./Leak.ts"
import * as Page from "./Page.ts"
import { heading, row, tenths } from "./report.ts"
import * as Reads from "./Reads.ts"
import * as Roles from "./Roles.ts"
import * as Server from "./Server.ts"
import * as SignIns from "./SignIns.ts"
import * as Small from "./Small.ts"
import * as Stalls from "./Stalls.ts"

const { values } = parseArgs({
  options: {
    monitors: { type: "string" },
    seconds: { type: "string" },
    only: { type: "string" },
    table: { type: "boolean", default: false }
  }
})
const seconds = Number(values.seconds ?? 30)
const monitors = Number(values.monitors ?? 5000)

type Part = () => Promise<Figures.Figures | void>

/** A part that has a server of its own. */
const served =
  (run: (server: Server.Server) => Promise<Figures.Figures | void>, options?: { readonly inspected: boolean }): Part =>
  async () => {
    const server = await Server.make(options)
    try {
      return await run(server)
    } finally {
      await server.close()
    }
  }

const actors: Part = async () => {
  heading("Idle monitors: 10,000 actors")
  const { first } = await script<{ readonly bytes: number }>("actors.ts", ["10000"], ["--expose-gc"])
  row("heap per idle monitor", `${tenths(first.bytes / 1024)} KB`, "at most 8 KB")
}

const endToEnd: Part = async () => {
  // The table shows both; each needs an empty database.
  const sizes = values.table && values.monitors === undefined ? [5000, 16_000] : [monitors]
  const figures: Figures.Figures = {}
  for (const size of sizes) {
    const measured = await served((server) => EndToEnd.run(server, { monitors: size, seconds }))()
    // What both measure is that of the smaller one.
    Object.assign(figures, { ...measured, ...figures })
  }
  return figures
}

/** Whether the table of docs/operate/sizing.md has rows of the part. */
const parts: Readonly<Record<string, { readonly run: Part; readonly inTable: boolean }>> = {
  actors: { run: actors, inTable: false },
  alerts: { run: served(Alerts.run), inTable: true },
  "alerts-alone": { run: served(Alerts.alone), inTable: true },
  ceiling: { run: served((server) => Ceiling.run(server, seconds)), inTable: true },
  dashboard: { run: served(Dashboard.run), inTable: false },
  engines: { run: served(Engines.run), inTable: true },
  heartbeats: { run: served(Heartbeats.run), inTable: false },
  hostile: { run: served(Hostile.run), inTable: false },
  page: { run: served(Page.run), inTable: false },
  reads: { run: served(Reads.run), inTable: false },
  "sign-in": { run: served(SignIns.run), inTable: true },
  stall: { run: Stalls.run, inTable: true },
  small: { run: () => Small.run({ seconds }), inTable: true },
  roles: { run: served((server) => Roles.run(server, { monitors, seconds })), inTable: false },
  "end-to-end": { run: endToEnd, inTable: true },
  // Half an hour, so only when it is asked for.
  leak: {
    run: served((server) => Leak.run(server, Number(values.seconds ?? 1800)), { inspected: true }),
    inTable: false
  },
  ingest: { run: served(Ingest.run), inTable: true }
}

if (values.only !== undefined && parts[values.only] === undefined)
  throw new Error(`There is no part ${values.only}; there are ${Object.keys(parts).join(", ")}`)

for (const [name, { inTable, run }] of Object.entries(parts)) {
  const isWanted = values.only === undefined ? inTable || (!values.table && name !== "leak") : values.only === name
  if (!isWanted) continue
  const figures = await run()
  // After each part, so that a later one that fails does not take what was measured.
  if (values.table && figures !== undefined) await Figures.write(figures)
}
process.exit(0)
