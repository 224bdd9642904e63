/**
 * Loads plugins and keeps what they offer, by kind. What cannot be used is refused with one line that says why; the rest goes
 * on without it.
 */
import { createRequire } from "node:module"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Monitor } from "@kanmon/domain/Monitor"
import { Context, Effect, Layer, Result, Schema } from "effect"
import type { Auth } from "./Auth.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"
import { contract, type Plugin } from "./Plugin.ts"

/** Where a plugin comes from. */
export interface PluginSource {
  readonly name: string
  readonly load: () => Promise<unknown>
}

/** A plugin, or a part of one, that is not used. */
export interface Refusal {
  readonly plugin: string
  readonly reason: string
}

/** What all plugins together offer. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    readonly checks: ReadonlyMap<string, Check>
    readonly channels: ReadonlyMap<string, Channel>
    readonly auths: ReadonlyArray<Auth>
    readonly refused: ReadonlyArray<Refusal>
  }
>()("@kanmon/core/Catalogue") {
  static readonly layer = (sources: ReadonlyArray<PluginSource>): Layer.Layer<Catalogue> =>
    Layer.effect(Catalogue, load(sources))
}

/** A source for a package name or a path, as settings name them; both are looked for from `directory`. */
export const sourceOf = (specifier: string, directory: string): PluginSource => ({
  name: specifier,
  load: () => {
    const local = specifier.startsWith(".") || path.isAbsolute(specifier)
    const target = local ? path.resolve(directory, specifier) : specifier
    try {
      return import(pathToFileURL(createRequire(path.join(directory, "_")).resolve(target)).href)
    } catch (error) {
      // A package that exports itself to `import` alone; it is found when it stands beside Kanmon.
      if (local) throw error
      return import(specifier)
    }
  }
})

/** A plugin that takes longer to load than this is left out. */
const loadWithin = "10 seconds"

/** Imports every source and sorts what it offers. Earlier sources win where two offer the same type. */
export const load = Effect.fn("PluginHost.load")(function* (sources: ReadonlyArray<PluginSource>) {
  const checks = new Map<string, Check>()
  const channels = new Map<string, Channel>()
  const auths = new Map<string, Auth>()
  const refused: Array<Refusal> = []
  const loaded = yield* Effect.forEach(sources, (source) => Effect.result(open(source)), { concurrency: "unbounded" })

  loaded.forEach((result, index) => {
    const refuse = (reason: string): void =>
      void refused.push({ plugin: sources[index]!.name, reason: reason.replaceAll(/\s+/g, " ").trim() })
    const take = <A>(
      taken: Map<string, A>,
      part: A,
      problemOf: (part: A) => string | undefined,
      key: keyof A
    ): void => {
      const problem = tried(problemOf, part)
      if (problem !== undefined) return refuse(problem)
      const name = part[key] as string
      if (taken.has(name)) refuse(`the ${String(key)} ${name} is taken`)
      else taken.set(name, part)
    }
    if (Result.isFailure(result)) return refuse(result.failure)
    const plugin = result.success
    for (const check of plugin.checks) take(checks, check, checkProblem, "type")
    for (const channel of plugin.channels) take(channels, channel, channelProblem, "type")
    for (const auth of plugin.auths) take(auths, auth, authProblem, "name")
  })
  for (const refusal of refused)
    yield* Effect.logError("A plugin was refused").pipe(Effect.annotateLogs({ ...refusal }))
  return Catalogue.of({ checks, channels, auths: [...auths.values()], refused })
})

const open = ({ load: loadModule }: PluginSource): Effect.Effect<Plugin, string> =>
  Effect.tryPromise({
    try: async () => loadModule(),
    catch: (cause) => `it cannot be imported: ${said(cause)}`
  }).pipe(
    Effect.timeoutOrElse({
      duration: loadWithin,
      orElse: () => Effect.fail(`it did not finish loading within ${loadWithin}`)
    }),
    Effect.flatMap((module) => {
      try {
        return read((module as { readonly default?: unknown } | undefined)?.default)
      } catch (error) {
        return Effect.fail(`it throws when it is read: ${said(error)}`)
      }
    })
  )

const read = (plugin: unknown): Effect.Effect<Plugin, string> => {
  if (typeof plugin !== "object" || plugin === null)
    return Effect.fail("it has no default export; export Plugin.define({...})")
  if (!("contract" in plugin) || plugin.contract !== contract) {
    const theirs = "contract" in plugin ? String(plugin.contract) : "none"
    return Effect.fail(`it was built for contract ${theirs}, this is contract ${contract}`)
  }
  const { auths = [], channels = [], checks = [], name } = plugin as Partial<Plugin>
  if (typeof name !== "string" || name === "") return Effect.fail("it has no name")
  if (![checks, channels, auths].every(Array.isArray)) return Effect.fail("checks, channels and auths have to be lists")
  return Effect.succeed({ name, contract, checks: [...checks], channels: [...channels], auths: [...auths] })
}

const said = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Looks at a part of a plugin. Whatever it does when it is touched is its own problem. */
const tried = <A>(problemOf: (part: A) => string | undefined, part: A): string | undefined => {
  if (typeof part !== "object" || part === null) return "it offers something that was not made with define"
  try {
    return problemOf(part)
  } catch (error) {
    return `it throws when it is looked at: ${said(error)}`
  }
}

const typePattern = /^[a-z][a-z0-9-]{1,31}$/

const described = (part: {
  readonly type: unknown
  readonly config: unknown
  readonly summary: unknown
}): string | undefined => {
  if (typeof part.type !== "string" || !typePattern.test(part.type)) {
    return `the type ${JSON.stringify(part.type)} is not lower case letters, digits and dashes`
  }
  if (typeof part.summary !== "string") return `${part.type} has no summary`
  if (!Schema.isSchema(part.config)) return `${part.type} has no config schema; make it with define`
  try {
    Schema.toJsonSchemaDocument(part.config as Schema.Top)
    return undefined
  } catch (error) {
    return `the config of ${part.type} cannot be described as JSON Schema: ${said(error)}`
  }
}

const checkProblem = (check: Check): string | undefined => {
  const problem = described(check)
  if (problem !== undefined) return problem
  if (
    typeof check.normalize !== "function" ||
    typeof check.prepare !== "function" ||
    !Array.isArray(check.secrets) ||
    !(check.defaults?.timeout >= 0.1 && check.defaults.timeout <= 120)
  )
    return `${check.type} is incomplete; make it with Check.define, with a timeout of 0.1 to 120 seconds`
  const common = Object.keys(check.config.fields ?? {}).find((field) => field in Monitor.fields)
  if (common !== undefined) return `the config of ${check.type} has a field ${common}, which every monitor has already`
  return exampleProblem(check.type, () => check.prepare(check.example))
}

const channelProblem = (channel: Channel): string | undefined => {
  const problem = described(channel)
  if (problem !== undefined) return problem
  if (typeof channel.start !== "function" || !Array.isArray(channel.secrets))
    return `${channel.type} is incomplete; make it with Channel.define`
  return exampleProblem(channel.type, () => channel.start(channel.example))
}

const authProblem = (auth: Auth): string | undefined => {
  if (typeof auth.name !== "string" || auth.name === "") return "it offers an auth without a name"
  return Effect.isEffect(auth.start) ? undefined : `the auth ${auth.name} is incomplete; make it with Auth.define`
}

const exampleProblem = (
  type: string,
  decode: () => Result.Result<unknown, { readonly message: string }>
): string | undefined => {
  try {
    const result = decode()
    if (!Result.isResult(result)) return `${type} is incomplete; make it with define`
    return Result.isFailure(result)
      ? `the example of ${type} breaks its own rules: ${result.failure.message}`
      : undefined
  } catch (error) {
    return `the example of ${type} cannot be used: ${said(error)}`
  }
}
