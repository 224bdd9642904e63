/** The curl of this machine, whose verdict stands beside that of a check. */
import { execFile } from "node:child_process"
import { Effect } from "effect"

/** What curl printed, one character for each byte; undefined when it failed. */
const run = (options: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    execFile("curl", options, { encoding: "latin1" }, (error, output) =>
      resume(Effect.succeed(error === null ? output : undefined))
    )
  })

/** Later versions decide some cases in another way. */
const known = "curl 7.88."

export const isKnown = Effect.runSync(
  Effect.cached(Effect.map(run(["--version"]), (text) => text?.startsWith(known) === true))
)

/** What it says when another version is here. */
export const isNotKnown = Effect.logInfo(`The verdict of curl is only compared with ${known}x`)

/** Requests a page as a browser does: with redirects, codings and cookies. */
export const page = (
  url: string,
  { options = [], seconds = 60 }: { readonly options?: ReadonlyArray<string>; readonly seconds?: number } = {}
): Effect.Effect<string | undefined> =>
  run(["-sS", "-L", "--compressed", "--cookie", "", "--noproxy", "*", "--max-time", String(seconds), ...options, url])
