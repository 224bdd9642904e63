/** Files that a command makes: an existing one is never overwritten, because it may have been edited since. */
import * as fs from "node:fs/promises"

/** Writes a file that must not exist yet. */
export const write = (file: string, text: string, mode: number): Promise<void> =>
  fs.writeFile(file, text, { flag: "wx", mode })

/** Why a file cannot be made, with the remedy if there is one already. */
export const words = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException
  return code === "EEXIST" ? "already exists; choose another name, or remove it" : message
}
