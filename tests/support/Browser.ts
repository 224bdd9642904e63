/**
 * Chromium, as this machine has it. Tests that need it are skipped, and say so, where there is none; where tests must be
 * complete (`CI` is set) they run and fail.
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

/** Where it is: what `CHROMIUM_PATH` names, or the first that is installed. */
const program = (
  named !== undefined && named !== ""
    ? [named]
    : ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
        searchPath.split(path.delimiter).map((folder) => path.join(folder, name))
      )
).find(isProgram)

export const skipped = program === undefined && !process.env["CI"]

/** For the names of tests that are skipped. */
export const note = skipped ? " (skipped: chromium is not installed)" : ""

/** A browser that is closed with the scope, however the tests end. */
export class Browser extends Context.Service<Browser, Chromium>()("@kanmon/tests/Browser") {
  static readonly layer = Layer.effect(
    Browser,
    Effect.acquireRelease(
      Effect.promise(async () => {
        if (program === undefined) throw new Error("No chromium was found: install it, or name it with CHROMIUM_PATH")
        return chromium.launch({
          executablePath: program,
          // Its sandbox refuses root, as which containers run.
          chromiumSandbox: process.getuid?.() !== 0,
          args: ["--disable-gpu", "--disable-dev-shm-usage"]
        })
      }),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}
