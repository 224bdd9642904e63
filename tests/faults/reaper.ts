/**
 * A process of its own that outlives whoever started it by a moment: it is told of processes (`+pid`, `-pid`), and when its
 * standard input ends it kills those that are left, with their children. Nothing stays behind, however a test ends.
 */
import { childrenOf } from "./Process.ts"
import { createInterface } from "node:readline"

const pids = new Set<number>()
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => undefined)

for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith("+")) pids.add(Number(line.slice(1)))
  else pids.delete(Number(line.slice(1)))
}
for (const pid of pids) {
  for (const one of [pid, ...(await childrenOf(pid))]) {
    try {
      process.kill(one, "SIGKILL")
    } catch {
      // It is gone already.
    }
  }
}
