/**
 * Loads plugins and keeps what they offer, by kind. What cannot be used is refused with one line that says why; the rest goes
 * on without it.
 */
import * as path from "node:path"
import { pathToFileURL } from "node:url"
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

/** A source for a package name or a path, as settings name them. */
export const sourceOf = (specifier: string, directory: string): PluginSource => ({
  name: specifier,
  load: () =>
    import(
      specifier.startsWith(".") || path.isAbsolute(specifier)
        ? pathToFileURL(path.resolve(directory, specifier)).href
        : specifier
    )
})

/** Imports every source and sorts what it offers. Earlier sources win where two offer the same type. */
export const load = Effect.fn("PluginHost.load")(function* (sources: ReadonlyArray<PluginSource>) {
  const checks = new Map<string, Check>()
  const channels = new Map<string, Channel>()
  const auths: Array<Auth> = []
  const refused: Array<Refusal> = []
  const loaded = yield* Effect.forEach(sources, (source) => Effect.result(open(source)), { concurrency: "unbounded" })

  loaded.forEach((result, index) => {
    const refuse = (reason: string): void => void refused.push({ plugin: sources[index]!.name, reason })
    if (Result.isFailure(result)) return refuse(result.failure)
    const plugin = result.success
    for (const check of plugin.checks) {
      const problem = checks.has(check.type) ? `the type ${check.type} is taken` : checkProblem(check)
      if (problem === undefined) checks.set(check.type, check)
      else refuse(problem)
    }
    for (const channel of plugin.channels) {
      const problem = channels.has(channel.type) ? `the type ${channel.type} is taken` : channelProblem(channel)
      if (problem === undefined) channels.set(channel.type, channel)
      else refuse(problem)
    }
    for (const auth of plugin.auths) {
      if (auths.some(({ name }) => name === auth.name)) refuse(`the auth ${auth.name} is taken`)
      else auths.push(auth)
    }
  })
  for (const refusal of refused)
    yield* Effect.logError("A plugin was refused").pipe(Effect.annotateLogs({ ...refusal }))
  return Catalogue.of({ checks, channels, auths, refused })
})

const open = ({ load: loadModule }: PluginSource): Effect.Effect<Plugin, string> =>
  Effect.gen(function* () {
    const module = yield* Effect.tryPromise({
      try: loadModule,
      catch: (cause) => `it cannot be imported: ${cause instanceof Error ? cause.message : String(cause)}`
    })
    const plugin = (module as { readonly default?: unknown } | undefined)?.default
    if (typeof plugin !== "object" || plugin === null)
      return yield* Effect.fail("it has no default export; export Plugin.define({...})")
    if (!("contract" in plugin) || plugin.contract !== contract) {
      const theirs = "contract" in plugin ? String(plugin.contract) : "none"
      return yield* Effect.fail(`it was built for contract ${theirs}, this is contract ${contract}`)
    }
    const { auths = [], channels = [], checks = [], name } = plugin as Partial<Plugin>
    if (typeof name !== "string" || name === "") return yield* Effect.fail("it has no name")
    if (![checks, channels, auths].every(Array.isArray))
      return yield* Effect.fail("checks, channels and auths have to be lists")
    return { name, contract, checks, channels, auths }
  })

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
    return `the config of ${part.type} cannot be described as JSON Schema: ${(error as Error).message}`
  }
}

const checkProblem = (check: Check): string | undefined => {
  const problem = described(check)
  if (problem !== undefined) return problem
  if (typeof check.normalize !== "function" || typeof check.prepare !== "function")
    return `${check.type} is incomplete; make it with Check.define`
  return exampleProblem(check.type, () => check.prepare(check.example))
}

const channelProblem = (channel: Channel): string | undefined =>
  described(channel) ?? exampleProblem(channel.type, () => channel.start(channel.example))

const exampleProblem = (
  type: string,
  decode: () => Result.Result<unknown, { readonly message: string }>
): string | undefined => {
  try {
    const result = decode()
    return Result.isFailure(result)
      ? `the example of ${type} breaks its own rules: ${result.failure.message}`
      : undefined
  } catch (error) {
    return `the example of ${type} cannot be used: ${(error as Error).message}`
  }
}
