/** Plugins that misbehave, each in one file. Those with a check are named after its behaviour. */

const check = (type: string, body: string, before = ""): string => `
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect, Schema } from "effect"
${before}
const check = Check.define({
  type: "${type}",
  summary: "Does what it should not.",
  config: Schema.Struct({ host: Schema.NonEmptyString }),
  example: { host: "a.example" },
  defaults: { timeout: 1 },
  host: ({ host }) => host,
  target: ({ host }) => host,
  run: (config, { stage }) => { stage("request"); ${body} }
})
export default Plugin.define({ name: "${type}", contract: 1, checks: [check] })
`

const kind = (options: string): string => `
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect, Schema } from "effect"
const options = {
  type: "refused", summary: "Is refused.", config: Schema.Struct({}), example: {}, defaults: { timeout: 1 },
  host: () => "a.example", target: () => "a.example", run: () => Effect.succeed({ responseTime: 1 })
}
${options}
`

/** Refused when they are loaded, with this reason. */
export const refused: Readonly<Record<string, { readonly source: string; readonly words: string }>> = {
  "throws-at-import": { source: `throw new Error("no such luck")`, words: "it cannot be imported: no such luck" },
  "throws-at-construction": {
    source: kind(`export default Plugin.define({ name: "x", contract: 1, checks: [Check.define(undefined)] })`),
    words: "it cannot be imported: Cannot read properties of undefined"
  },
  "never-loads": { source: `await new Promise(() => setInterval(() => {}, 1000))`, words: "it did not finish loading" },
  "not-a-plugin": { source: `export const plugin = 1`, words: "it has no default export" },
  "other-contract": {
    source: kind(`export default Plugin.define({ name: "x", contract: 2, checks: [Check.define(options)] })`),
    words: "it was built for contract 2; this is contract 1"
  },
  "duplicate-type": {
    source: kind(
      `export default Plugin.define({ name: "x", contract: 1, checks: [Check.define({ ...options, type: "http" })] })`
    ),
    words: "the type http is already taken"
  },
  "no-json-schema": {
    source: kind(
      `const config = Schema.Struct({ at: Schema.suspend(() => { throw new Error("not yet") }) })
       export default Plugin.define({ name: "x", contract: 1, checks: [{ ...Check.define(options), config }] })`
    ),
    words: "the config of refused has no JSON Schema"
  }
}

/** Loaded, but harmful when they run. */
export const running: Readonly<Record<string, string>> = {
  "leaves-errors-at-import": check(
    "leaves-errors-at-import",
    `return Effect.succeed({ responseTime: 1 })`,
    `Promise.reject(new Error("unheard at import"))
     setTimeout(() => { throw new Error("thrown after import") }, 20)`
  ),
  "throws-in-run": check("throws-in-run", `throw new Error("not today")`),
  "never-returns": check("never-returns", `return Effect.uninterruptible(Effect.never)`),
  allocates: check(
    "allocates",
    `const junk = Array.from({ length: 500_000 }, (_, i) => ({ i, text: "junk " + i }))
     return Effect.succeed({ responseTime: junk.length / 1e6, facts: { junk: "x".repeat(20_000_000) } })`
  ),
  "floods-the-log": check(
    "floods-the-log",
    `for (let i = 0; i < 5000; i++) console.log("spam from the console", i)
     return Effect.forEach(Array.from({ length: 5000 }), (_, i) => Effect.logInfo("spam from the log", i), { discard: true }).pipe(
       Effect.as({ responseTime: 1 }))`
  ),
  "leaves-errors": check(
    "leaves-errors",
    `Promise.reject(new Error("unheard rejection"))
     setTimeout(() => { throw new Error("thrown in a timer") }, 20)
     return Effect.sleep("50 millis").pipe(Effect.as({ responseTime: 1 }))`
  ),
  "odd-stages": check(
    "odd-stages",
    `stage({ toString() { throw new Error("read") } })
     return Effect.never`
  ),
  "odd-failures": check(
    "odd-failures",
    `const read = () => { throw new Error("read") }
     return Effect.fail(new Proxy({}, { get: read, has: read }))`
  ),
  "odd-results": check("odd-results", `return Effect.succeed({ responseTime: "soon", facts: 7n })`)
}
