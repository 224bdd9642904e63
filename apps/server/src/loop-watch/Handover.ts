/**
 * A file in the data directory with which a process says that it ends to be started again at once, so that its embedded servers
 * are not stopped. It is written by a thread that cannot wait, so everything here is synchronous.
 */
import * as fs from "node:fs"
import * as path from "node:path"

/** Also read by the guards of the embedded servers. */
export const fileIn = (directory: string): string => path.join(directory, "handover.json")

/** A process that is started later than this starts its own servers. */
const freshMillis = 60_000

export const begin = (directory: string, at: number): void =>
  fs.writeFileSync(fileIn(directory), JSON.stringify({ at }), { mode: 0o600 })

export const end = (directory: string): void => fs.rmSync(fileIn(directory), { force: true })

export const isFresh = (directory: string, now: number): boolean => {
  try {
    const { at }: { readonly at?: unknown } = JSON.parse(fs.readFileSync(fileIn(directory), "utf8"))
    return typeof at === "number" && at <= now && now - at < freshMillis
  } catch {
    return false
  }
}
