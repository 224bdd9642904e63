/** Reads and prunes the stalls of a data directory, one JSON line each. */
import * as fs from "node:fs"
import { LoopStall } from "@kanmon/core/LoopStall"
import { Option, Schema } from "effect"
import { fileIn } from "./StallFile.ts"

/** Older ones are dropped. */
const kept = 500

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(LoopStall))

/** Oldest first. Other lines, such as one that was cut short, are left out. */
export const read = (directory: string): ReadonlyArray<LoopStall> => {
  let text: string
  try {
    text = fs.readFileSync(fileIn(directory), "utf8")
  } catch {
    return []
  }
  return text
    .split("\n")
    .flatMap((line) => Option.toArray(decode(line)))
    .slice(-kept)
}

/** Keeps only these. */
export const replace = (directory: string, stalls: ReadonlyArray<LoopStall>): void => {
  const written = `${fileIn(directory)}.new`
  fs.writeFileSync(written, stalls.map((stall) => `${JSON.stringify(stall)}\n`).join(""), { mode: 0o600, flush: true })
  fs.renameSync(written, fileIn(directory))
}
