/**
 * Debian's crond itself, on a simulated clock, beside our schedules: over a year of minutes in five zones. `crond.c` simulates
 * the clock; the tables of the machine are covered by others in a mount namespace, and no job is run.
 */
import { execFile, execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { parse } from "@kanmon/domain/CronExpression"
import { next } from "@kanmon/domain/CronSchedule"
import { zoneOf } from "@kanmon/domain/LocalTime"
import { Effect, Result } from "effect"
import * as Folder from "../support/Folder.ts"

const run = promisify(execFile)
const crond = "/usr/sbin/cron"

/** A reason why crond cannot be run here; undefined when it can. */
const missing = (): string | undefined => {
  for (const file of [crond, "/usr/bin/cc", "/usr/bin/unshare"]) if (!existsSync(file)) return file
  try {
    execFileSync("/usr/bin/unshare", ["--mount", "true"], { stdio: "ignore" })
    return undefined
  } catch {
    return "the right to mount"
  }
}
const lacks = missing()

/** No job of these runs so often that starting it takes long. */
const expressions = [
  "30 1-3 * * *",
  "*/30 1-3 25-31 3,10 *",
  "* 4 */2 * 4",
  "*/100 2 * * 1",
  "5 0 25 * 1",
  "15,45 0-2 * 3,4,9,10,11 0,7",
  "0 0 1,15 * */7",
  "59 23 * jan-DEC sat"
]

const day = 1440
const from = Date.parse("2026-01-01T00:00:00Z") / 60_000
const to = Date.parse("2027-01-01T00:00:00Z") / 60_000

const start = [
  'cd "$1"',
  "mount --bind spool /var/spool/cron && mount --bind empty /etc/cron.d && mount --bind crontab /etc/crontab",
  "mount --bind run /run",
  `exec env LD_PRELOAD="$1/clock.so" ${crond} -f`
].join("\n")

/** The minutes in which crond starts the job of each expression. */
const real = (timezone: string) =>
  Effect.gen(function* () {
    const table = expressions.map((expression, index) => `${expression} ${index}\n`).join("")
    const files = { "spool/crontabs/root": table, "empty/.placeholder": "", crontab: "", "run/.placeholder": "" }
    const folder = yield* Folder.make(files)
    yield* Effect.promise(async () => {
      await fs.chmod(path.join(folder, "spool/crontabs/root"), 0o600)
      await run("cc", [
        "-shared",
        "-fPIC",
        "-o",
        path.join(folder, "clock.so"),
        path.join(import.meta.dirname, "crond.c")
      ])
      await run("unshare", ["--mount", "sh", "-ec", start, "sh", folder], {
        env: {
          PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
          TZ: timezone,
          CROND_FROM: String(from * 60),
          CROND_TO: String(to * 60),
          CROND_OUT: path.join(folder, "run/jobs")
        }
      })
    })
    const text = yield* Effect.promise(() => fs.readFile(path.join(folder, "run/jobs"), "utf8"))
    const lines = text.split("\n").map((line) => line.split(" "))
    return expressions.map((_, index) => {
      // Two times of a job that a change of clocks skips are two runs in one minute.
      const minutes = lines.filter(([, job]) => job === String(index)).map(([minute]) => Number(minute))
      return [...new Set(minutes)].toSorted((one, other) => one - other)
    })
  })

const ours = (expression: string, timezone: string): ReadonlyArray<number> => {
  const parsed = Result.getOrThrow(parse(expression))
  const found: Array<number> = []
  let at = next(parsed, zoneOf(timezone)!, from * 60_000)
  while (at !== null && at < to * 60_000) {
    found.push(at / 60_000)
    at = next(parsed, zoneOf(timezone)!, at)
  }
  return found
}

describe.skipIf(lacks !== undefined)(`schedules beside crond${lacks === undefined ? "" : ` (needs ${lacks})`}`, () => {
  it.live.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "UTC"])(
    "expect jobs in the minutes in which crond starts them, in %s",
    (timezone) =>
      Effect.gen(function* () {
        const started = yield* real(timezone)
        // Jobs of the last day may not be written down yet when crond ends.
        const known = (minutes: ReadonlyArray<number>) => minutes.filter((minute) => minute < to - day)
        for (const [index, expression] of expressions.entries())
          assert.deepStrictEqual(known(started[index]!), known(ours(expression, timezone)), expression)
      }),
    600_000
  )
})
