/** Where the installed Chromium is. */
import { accessSync, constants } from "node:fs"
import * as path from "node:path"
import { searchPath } from "./NatsServer.ts"

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const named = process.env["CHROMIUM_PATH"]

/** The program in `CHROMIUM_PATH`, or the first one installed. */
export const program: string | undefined = (
  named !== undefined && named !== ""
    ? [named]
    : ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
        searchPath.split(path.delimiter).map((folder) => path.join(folder, name))
      )
).find(isProgram)

/** Its sandbox refuses root, which containers use. */
export const chromiumSandbox = process.getuid?.() !== 0
