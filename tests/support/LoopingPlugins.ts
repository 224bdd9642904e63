/**
 * Plugins that block the event loop for ever in each place in which a plugin's code runs, once a file named in them exists. They
 * write how often they have been there into that folder, so that a test knows what was run.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as path from "node:path"

/** Each place, by the name of its plugin's file. */
export const places = ["check", "prepare", "promise", "channel", "auth", "timer", "load", "native"] as const
export type Place = (typeof places)[number]

const imports = `
import { appendFileSync, existsSync } from "node:fs"
import { execSync } from "node:child_process"
import * as Auth from "@kanmon/core/Auth"
import * as Channel from "@kanmon/core/Channel"
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import * as PromisePlugin from "@kanmon/core/PromisePlugin"
import { Effect, Option, Schema } from "effect"
`

/** Blocks in one place while its file exists; `loop` is what it does instead of an endless loop. */
const trap = (folder: string, place: Place, loop = "for (;;);"): string => `
const trap = () => {
  if (!existsSync(${JSON.stringify(path.join(folder, `${place}.armed`))})) return
  appendFileSync(${JSON.stringify(path.join(folder, `${place}.entered`))}, "x")
  ${loop}
}
`

const check = (type: string, options: string, define = "Check.define"): string => `
const check = ${define}({
  type: "${type}",
  summary: "Blocks the event loop.",
  config: Schema.Struct({ host: Schema.NonEmptyString }),
  example: { host: "a.example" },
  defaults: { timeout: 1 },
  host: ({ host }) => host,
  target: ({ host }) => host,
  run: () => Effect.succeed({ responseTime: 1 }),
  ${options}
})
export default Plugin.define({ name: "blocks-${type}", contract: 1, checks: [check] })
`

const auth = (name: string, options: string): string => `
const auth = Auth.define({ name: "${name}", summary: "Blocks the event loop.", ${options} })
export default Plugin.define({ name: "blocks-${name}", contract: 1, auths: [auth] })
`

/** A text that blocks the process when its handlers read it as JSON. */
export const blocking = "blocks the handler that reads it"

/** Writes a module that is loaded before Kanmon, and makes its own code block on that text: a bug of a handler. Returns its file. */
export const plantInHandlers = (folder: string): string => {
  const file = path.join(folder, "handler.mjs")
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs"
const parse = JSON.parse
JSON.parse = (text, ...rest) => {
  if (String(text).includes(${JSON.stringify(blocking)})) {
    appendFileSync(${JSON.stringify(path.join(folder, "handler.entered"))}, "x")
    for (;;);
  }
  return parse(text, ...rest)
}
`
  )
  return file
}

/** A monitor with the host `trap` falls into the trap; the others of its type do not. */
const trapped = `({ host }) => Effect.sync(() => { if (host === "trap") trap(); return { responseTime: 1 } })`

const sources: Readonly<Record<Place, string>> = {
  check: check("looping", `run: ${trapped}`),
  native: check("waiting", `run: ${trapped}`),
  prepare: check("preparing", `target: ({ host }) => { if (host === "trap") trap(); return host }`),
  promise: check(
    "promising",
    `run: async ({ host }) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (host === "trap") trap()
    return { responseTime: 1 }
  }`,
    "PromisePlugin.definePromiseCheck"
  ),
  channel: `
const channel = Channel.define({
  type: "blocking",
  summary: "Blocks the event loop.",
  config: Schema.Struct({ to: Schema.NonEmptyString }),
  example: { to: "someone" },
  make: () => Effect.succeed({ deliver: () => Effect.sync(() => { trap(); return { detail: "delivered" } }) })
})
export default Plugin.define({ name: "blocks-channel", contract: 1, channels: [channel] })
`,
  auth: auth(
    "sign-in",
    `authenticate: ({ headers }) => Effect.sync(() => {
      if (headers["x-trap"] !== undefined) trap()
      return Option.none()
    })`
  ),
  timer: `
setInterval(trap, 100)
export default Plugin.define({ name: "blocks-timer", contract: 1 })
`,
  load: `
trap()
export default Plugin.define({ name: "blocks-load", contract: 1 })
`
}

/** In the folder, the file of the plugin that blocks in this place. */
export const plant = (folder: string, place: Place): string => {
  const file = path.join(folder, `${place}.mjs`)
  // Not a loop, but a wait that no debugger can interrupt.
  const loop = place === "native" ? `execSync("sleep 600")` : undefined
  writeFileSync(file, `${imports}${trap(folder, place, loop)}${sources[place]}`)
  return file
}

export const arm = (folder: string, place: Place): void => writeFileSync(path.join(folder, `${place}.armed`), "")

export const disarm = (folder: string, place: Place): void => rmSync(path.join(folder, `${place}.armed`))

/** A plugin whose files change is another one. */
export const change = (folder: string, place: Place): void =>
  appendFileSync(path.join(folder, `${place}.mjs`), "// changed\n")

/** How often the trap was entered. */
export const entered = (folder: string, place: Place | "handler"): number => {
  const file = path.join(folder, `${place}.entered`)
  return existsSync(file) ? readFileSync(file, "utf8").length : 0
}
