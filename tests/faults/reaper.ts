/**
 * A process that outlives its parent for a moment to clean up. It reads process IDs (`+pid`, `-pid`) from standard input and,
 * when that ends, kills the remaining processes with their children, so that no test leaves processes behind.
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
