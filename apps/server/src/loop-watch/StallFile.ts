/** Where the stalls of a data directory are. Apart from what reads them, so that the watching thread loads little. */
import * as fs from "node:fs"
import * as path from "node:path"
import type { LoopStall } from "@kanmon/core/LoopStall"

export const fileIn = (directory: string): string => path.join(directory, "stalls.jsonl")

/** Adds a line, which is on the disk when this returns. It begins a line of its own after one that was cut short. */
export const append = (directory: string, stall: LoopStall): void =>
  fs.appendFileSync(fileIn(directory), `\n${JSON.stringify(stall)}\n`, { mode: 0o600, flush: true })
