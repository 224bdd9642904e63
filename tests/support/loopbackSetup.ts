/** A test run during which no process leaves this machine: it fails, and says who tried, when one has (`loopbackOnly.js`). */
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
// The first process of the run, from which all others come.
import "./loopbackOnly.js"

const told = 50

export default async (): Promise<() => Promise<void>> => {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "kanmon-attempts-"))
  const file = path.join(folder, "attempts.jsonl")
  const before = process.env["LOOPBACK_ONLY_FILE"]
  process.env["LOOPBACK_ONLY_FILE"] = file
  return async () => {
    if (before === undefined) delete process.env["LOOPBACK_ONLY_FILE"]
    else process.env["LOOPBACK_ONLY_FILE"] = before
    const lines = (await fs.readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "")
    await fs.rm(folder, { recursive: true, force: true })
    if (lines.length === 0) return
    const attempts = new Map<string, string>()
    for (const line of lines) {
      const { address, kind, process, stack, test } = JSON.parse(line)
      const [file] = String(test).split(" > ")
      // One of each in each file: the others are like it.
      attempts.set(
        `${kind} ${address} ${file}`,
        `${kind} to ${address}\n  in the test ${test}\n  by ${process}\n${stack}`
      )
    }
    throw new Error(
      [
        `Tests tried to leave this machine ${lines.length} times. Each attempt was refused.`,
        ...[...attempts.values()].slice(0, told)
      ].join("\n\n")
    )
  }
}
