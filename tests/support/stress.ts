/**
 * Runs all tests again and again while two other processes each burn a core, and says which of them failed: a test that depends on
 * the speed of the machine fails here. `npm run test:stress -- [runs] [part of a path …]`
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"

/** Commands that run all tests; or those whose path contains one of these parts. */
const commands = (parts: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, ...command: Array<string>]> =>
  parts.length === 0
    ? [
        ["test", "npm", "run", "test", "--"],
        ["test:browser", "npm", "run", "test:browser", "--"]
      ]
    : [["chosen", "npx", "vitest", "run", "--config", "tests/vitest.config.ts", ...parts]]

const burners = 2

interface Run {
  readonly name: string
  readonly passed: number
  readonly failures: ReadonlyArray<string>
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const failuresIn = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, message, name, status }) => {
    const file = path.relative(process.cwd(), name)
    const failed = assertionResults
      .filter((one) => one.status === "failed")
      .map(({ fullName }) => `${file} > ${fullName}`)
    return status === "failed" && failed.length === 0 ? [`${file}: ${message.split("\n")[0]}`] : failed
  })

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => void child.once("exit", (code) => resolve(code ?? 1)))

/** The shell's own `time` knows the CPU time of everything that ran below it. */
const timed = 'TIMEFORMAT="%U %S"; time "$@" >&4 2>&4'

const run = async (name: string, command: ReadonlyArray<string>, turn: number, folder: string): Promise<Run> => {
  const file = path.join(folder, `${name.replace(":", "-")}-${turn}.json`)
  const output = await fs.open(`${file}.log`, "w")
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
  const began = performance.now()
  const child = spawn("bash", ["-c", timed, "bash", ...command, ...reporters], {
    stdio: ["ignore", "ignore", "pipe", "ignore", output.fd]
  })
  let times = ""
  child.stderr!.on("data", (chunk: Buffer) => (times += chunk.toString("utf8")))
  const code = await ended(child)
  await output.close()
  const report: Report | undefined = await fs.readFile(file, "utf8").then(JSON.parse, () => undefined)
  const failures = report === undefined ? [] : failuresIn(report)
  const unexplained = code !== 0 && failures.length === 0 ? [`${name} exited with ${code}: ${file}.log`] : []
  return {
    name: `${name} ${turn}`,
    passed: report?.numPassedTests ?? 0,
    failures: [...failures, ...unexplained],
    wallSeconds: (performance.now() - began) / 1000,
    cpuSeconds: times
      .trim()
      .split(" ")
      .reduce((sum, part) => sum + Number(part), 0)
  }
}

const [first = "10", ...rest] = process.argv.slice(2)
const isCount = /^\d+$/.test(first)
const runs = isCount ? Number(first) : 10
const parts = isCount ? rest : [first, ...rest]

const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-stress-"))
const burning = Array.from({ length: burners }, () => spawn(process.execPath, ["-e", "for(;;){}"], { stdio: "ignore" }))
const stop = (): void => burning.forEach((child) => void child.kill("SIGKILL"))
process.once("exit", stop)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const done: Array<Run> = []
print(
  `${"run".padEnd(18)} ${"passed".padStart(7)} ${"failed".padStart(7)} ${"wall s".padStart(8)} ${"CPU s".padStart(8)}`
)
for (let turn = 1; turn <= runs; turn++)
  for (const [name, ...command] of commands(parts)) {
    const one = await run(name, command, turn, folder)
    done.push(one)
    const figures = [one.passed, one.failures.length].map((count) => String(count).padStart(7))
    const seconds = [one.wallSeconds, one.cpuSeconds].map((value) => value.toFixed(0).padStart(8))
    print([one.name.padEnd(18), ...figures, ...seconds].join(" "))
  }

stop()
const counts = new Map<string, number>()
for (const name of done.flatMap(({ failures }) => failures)) counts.set(name, (counts.get(name) ?? 0) + 1)
for (const [name, count] of [...counts].toSorted((one, other) => other[1] - one[1])) print(`${count} × ${name}`)
if (counts.size > 0) print(`What each run printed is in ${folder}`)
else await fs.rm(folder, { recursive: true })
process.exitCode = counts.size === 0 ? 0 : 1
