/**
 * The figures of docs/operate/sizing.md: what is measured, what is aimed for, and the table between the markers of that page. A
 * part of the benchmark returns the figures that it measured, by name; `npm run bench -- --table` writes them.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import { availableParallelism, cpus, totalmem } from "node:os"
import * as path from "node:path"
import { root } from "./Child.ts"

/** One value of a row. Without a target it is only told. */
interface Measure {
  readonly what: string
  readonly unit: string
  readonly digits?: number
  readonly atMost?: number
  readonly atLeast?: number
}

interface Row {
  readonly work: string
  readonly measures: ReadonlyArray<Measure>
}

/** How fast the machine is changes what a check costs, and this only a little. */
const byUndici = { what: "CPU of a check, by bare undici", unit: "×", digits: 2 } as const

/** In the order of the table. */
export const rows = {
  idle: {
    work: "idle, no monitors",
    measures: [
      { what: "CPU", unit: "% of a core", digits: 1, atMost: 0.5 },
      { what: "memory", unit: "MB", atMost: 150 },
      { what: "of it Node", unit: "MB", atMost: 100 }
    ]
  },
  hundred: {
    work: "100 monitors every 20 s",
    measures: [
      { what: "CPU of a check", unit: "ms", digits: 2, atMost: 1.5 },
      { what: "memory", unit: "MB", atMost: 170 },
      byUndici
    ]
  },
  fiveHundred: {
    work: "500 monitors every 20 s",
    measures: [
      { what: "CPU of a check", unit: "ms", digits: 2, atMost: 0.6 },
      { what: "memory", unit: "MB", atMost: 200 },
      byUndici
    ]
  },
  fiveThousand: {
    work: "5,000 monitors every 10 s",
    measures: [
      { what: "CPU of a check", unit: "ms", digits: 2, atMost: 0.5 },
      { what: "Node's memory (RSS)", unit: "MB", atMost: 350 },
      byUndici
    ]
  },
  sixteenThousand: {
    work: "16,000 monitors every 10 s",
    measures: [
      { what: "CPU of Node, by bare undici", unit: "×", digits: 2, atMost: 1.4 },
      { what: "CPU of everything, by bare undici", unit: "×", digits: 2, atMost: 1.9 },
      { what: "schedule lag p99", unit: "ms", atMost: 100 }
    ]
  },
  ceiling: {
    work: "the most it can do, its targets beside it",
    measures: [
      { what: "checks stored and judged", unit: "a second", atLeast: 2200 },
      { what: "schedule lag p99", unit: "ms", atMost: 500 }
    ]
  },
  ingest: { work: "a backlog in one process", measures: [{ what: "observations", unit: "a second", atLeast: 35_000 }] },
  engines: {
    work: "a backlog with two engines",
    measures: [{ what: "speed, by one engine", unit: "×", digits: 2 }]
  },
  start: {
    work: "start to healthy, existing data",
    measures: [{ what: "time", unit: "s", digits: 1, atMost: 1.2 }]
  },
  stall: {
    work: "a process whose loop stands still, replaced after its five seconds",
    measures: [
      { what: "time", unit: "s", digits: 1, atMost: 5 },
      { what: "time, by an ordinary start", unit: "×", digits: 2 }
    ]
  },
  create: {
    work: "create monitors over REST",
    measures: [{ what: "one a request", unit: "a second", atLeast: 1000 }]
  },
  createTogether: {
    work: "create 10,000 monitors together",
    measures: [{ what: "time", unit: "s", digits: 1, atMost: 5 }]
  },
  alert: {
    work: "failure to webhook at 500 checks a second",
    measures: [{ what: "p99", unit: "ms", atMost: 100 }]
  },
  alertAlone: {
    work: "failure to webhook at 1 check a second",
    measures: [{ what: "p99", unit: "ms", atMost: 150 }]
  },
  signIn: {
    work: "20 sign-ins with a password a second",
    measures: [
      { what: "CPU of a hash", unit: "ms" },
      { what: "p50", unit: "ms" },
      { what: "p99", unit: "ms", atMost: 300 },
      { what: "other requests beside them, p99", unit: "ms" }
    ]
  },
  leak: {
    work: "30 minutes at 500 checks a second, monitors made and deleted, pages read",
    measures: [
      { what: "growth of memory", unit: "MB an hour" },
      { what: "growth of what is in use after a full collection", unit: "MB", digits: 1 }
    ]
  }
} as const satisfies Readonly<Record<string, Row>>

export type Name = keyof typeof rows
/** What a part measured: for each of its rows a value for each measure, in their order. */
export type Figures = { readonly [name in Name]?: ReadonlyArray<number> | undefined }

const shown = (value: number, { digits = 0 }: Measure): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })

const target = (measure: Measure): string => {
  const { atLeast, atMost, unit } = measure
  // With the digits it was set with.
  if (atMost !== undefined) return `≤ ${atMost.toLocaleString("en-US")} ${unit}`
  return atLeast === undefined ? "" : `≥ ${atLeast.toLocaleString("en-US")} ${unit}`
}

/** Compares what is shown: 0.604 ms is 0.60. */
const isMet = (value: number, { atLeast, atMost, digits = 0 }: Measure): boolean => {
  const rounded = Number(value.toFixed(digits))
  return rounded <= (atMost ?? Infinity) && rounded >= (atLeast ?? -Infinity)
}

const begin = "<!-- figures: written by npm run bench -- --table -->"
const end = "<!-- end of figures -->"

/** The lines of a row. Each begins with what identifies it, so that a later run can replace it. */
const linesOf = (name: Name, values: ReadonlyArray<number>, date: string): ReadonlyArray<string> => {
  const { measures, work }: Row = rows[name]
  return measures.map((measure, index) => {
    const value = values[index]!
    const result = `${shown(value, measure)} ${measure.unit}`
    const wanted = target(measure)
    return `| ${work}: ${measure.what} | ${result} | ${wanted} | ${wanted === "" ? "" : isMet(value, measure) ? "yes" : "no"} | ${date} |`
  })
}

const keyOf = (line: string): string => line.split("|")[1]?.trim() ?? ""

/** The table with these figures; rows that were not measured stay as they are. */
export const merged = (
  before: ReadonlyArray<string>,
  figures: Figures,
  { date, machine }: { readonly date: string; readonly machine: string }
): ReadonlyArray<string> => {
  const known = new Map(
    before
      .filter((line) => line.startsWith("|"))
      .slice(2)
      .map((line) => [keyOf(line), line])
  )
  for (const name of Object.keys(rows) as Array<Name>) {
    const values = figures[name]
    if (values !== undefined) for (const line of linesOf(name, values, date)) known.set(keyOf(line), line)
  }
  const order = (Object.values(rows) as ReadonlyArray<Row>).flatMap(({ measures, work }) =>
    measures.map(({ what }) => `${work}: ${what}`)
  )
  return [
    machine,
    "",
    "| work | measured | aimed for | reached | on |",
    "| --- | --- | --- | --- | --- |",
    ...order.flatMap((key) => known.get(key) ?? [])
  ]
}

const printed = (command: string, args: ReadonlyArray<string>): string => {
  try {
    return execFileSync(command, args, { encoding: "utf8" }).trim()
  } catch {
    return ""
  }
}

const machine = (): string => {
  const nats = /\d+\.\d+\.\d+/.exec(printed("nats-server", ["--version"]))?.[0]
  const model = cpus()[0]?.model.replace(/\s+/g, " ").trim()
  return [
    `${availableParallelism()} cores${model === undefined || model === "unknown" ? "" : ` (${model})`}`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Node ${process.versions.node}`,
    "PostgreSQL 18",
    ...(nats === undefined ? ["in-process bus"] : [`nats-server ${nats}`])
  ].join(", ")
}

/** Writes the figures into the table of docs/operate/sizing.md. */
export const write = async (figures: Figures): Promise<void> => {
  const file = path.join(root, "docs/operate/sizing.md")
  const text = await fs.readFile(file, "utf8")
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no place for the figures`)
  const table = merged(text.slice(from + begin.length, to).split("\n"), figures, {
    date: new Date().toISOString().slice(0, 10),
    machine: `Measured on ${machine()}.`
  })
  await fs.writeFile(file, `${text.slice(0, from)}${begin}\n\n${table.join("\n")}\n\n${text.slice(to)}`)
  execFileSync(path.join(root, "node_modules/.bin/prettier"), ["--write", "--log-level", "warn", file])
}
