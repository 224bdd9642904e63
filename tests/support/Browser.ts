/**
 * The installed Chromium. Tests that need it are skipped without one, and say so; where tests must be complete (`CI` is
 * set) they fail.
 */
import { accessSync, constants } from "node:fs"
import * as path from "node:path"
import { Context, Effect, Layer } from "effect"
import { type Browser as Chromium, chromium } from "playwright-core"
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
const program = (
  named !== undefined && named !== ""
    ? [named]
    : ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
        searchPath.split(path.delimiter).map((folder) => path.join(folder, name))
      )
).find(isProgram)

export const skipped = program === undefined && !process.env["CI"]

/** For titles of skipped tests. */
export const note = skipped ? " (skipped: chromium is not installed)" : ""

/** A browser that closes with the scope. */
export class Browser extends Context.Service<Browser, Chromium>()("@kanmon/tests/Browser") {
  static readonly layer = Layer.effect(
    Browser,
    Effect.acquireRelease(
      Effect.promise(async () => {
        if (program === undefined) throw new Error("No chromium was found: install it, or name it with CHROMIUM_PATH")
        return chromium.launch({
          executablePath: program,
          // Its sandbox refuses root, which containers use.
          chromiumSandbox: process.getuid?.() !== 0,
          args: ["--disable-gpu", "--disable-dev-shm-usage"]
        })
      }),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}
