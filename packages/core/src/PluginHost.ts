/**
 * Loads plugins and keeps what they offer, by kind. What cannot be used is refused with one line that says why; the rest goes
 * on without it.
 */
import { Monitor } from "@kanmon/domain/Monitor"
import { Context, Effect, Layer, Result, Schema } from "effect"
import type { Auth } from "./Auth.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"
import { contract, type Plugin } from "./Plugin.ts"
import * as PluginGuard from "./PluginGuard.ts"
import * as PluginOwner from "./PluginOwner.ts"
import type { PluginSource } from "./PluginSource.ts"

/** A plugin, or a part of one, that is not used. */
export interface Refusal {
  readonly plugin: string
  readonly reason: string
}

/** One source, and what became of it. */
export interface Loaded {
  /** As it calls itself; undefined when it did not get so far. */
  readonly name: string | undefined
  readonly source: PluginSource
  readonly checks: ReadonlyArray<Check>
  readonly channels: ReadonlyArray<Channel>
  readonly auths: ReadonlyArray<Auth>
  /** Why it, or a part of it, is not used. */
  readonly refused: ReadonlyArray<string>
}

/** What all plugins together offer. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    readonly checks: ReadonlyMap<string, Check>
    readonly channels: ReadonlyMap<string, Channel>
    readonly auths: ReadonlyArray<Auth>
    readonly refused: ReadonlyArray<Refusal>
    /** Every source, in the order they were named. */
    readonly plugins: ReadonlyArray<Loaded>
  }
>()("@kanmon/core/Catalogue") {
  static readonly layer = (sources: ReadonlyArray<PluginSource>): Layer.Layer<Catalogue> =>
    Layer.effect(Catalogue, load(sources))
}

/** A plugin that takes longer to load than this is left out. */
const loadWithin = "10 seconds"

/** Imports every source and sorts what it offers. Earlier sources win where two offer the same type. */
export const load = Effect.fn("PluginHost.load")(function* (sources: ReadonlyArray<PluginSource>) {
  const checks = new Map<string, Check>()
  const channels = new Map<string, Channel>()
  const auths = new Map<string, Auth>()
  const loaded = yield* Effect.forEach(sources, (source) => Effect.result(open(source)), { concurrency: "unbounded" })

  const plugins = loaded.map((result, index): Loaded => {
    const source = sources[index]!
    const refused: Array<string> = []
    const refuse = (reason: string): void => void refused.push(reason.replaceAll(/\s+/g, " ").trim())
    if (Result.isFailure(result)) {
      refuse(result.failure)
      return { name: undefined, source, checks: [], channels: [], auths: [], refused }
    }
    const taken = <A>(
      known: Map<string, A>,
      parts: ReadonlyArray<A>,
      problemOf: (part: A) => string | undefined,
      key: keyof A,
      held: (part: A) => A = (part) => part
    ): ReadonlyArray<A> =>
      parts.filter((part) => {
        const problem = tried(problemOf, part)
        const name = problem === undefined ? (part[key] as string) : ""
        if (problem !== undefined) refuse(problem)
        else if (known.has(name)) refuse(`the ${String(key)} ${name} is taken`)
        else return known.set(name, held(part))
        return false
      })
    const plugin = result.success
    const guard = source.outside === true ? PluginGuard.make(plugin.name) : undefined
    return {
      name: plugin.name,
      source,
      checks: taken(checks, plugin.checks, checkProblem, "type", guard?.check),
      channels: taken(channels, plugin.channels, channelProblem, "type", guard?.channel),
      auths: taken(auths, plugin.auths, authProblem, "name"),
      refused
    }
  })
  const refused = plugins.flatMap(({ refused: reasons, source }) =>
    reasons.map((reason): Refusal => ({ plugin: source.name, reason }))
  )
  for (const refusal of refused)
    yield* Effect.logError("A plugin was refused").pipe(Effect.annotateLogs({ ...refusal }))
  return Catalogue.of({ checks, channels, auths: [...auths.values()], refused, plugins })
})

const open = ({ load: loadModule, name: sourceName }: PluginSource): Effect.Effect<Plugin, string> =>
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
    }),
    Effect.tap(({ name }) => Effect.sync(() => PluginOwner.callsItself(sourceName, name)))
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
  const { recipient } = channel
  if (
    recipient !== undefined &&
    !(["email", "phone"].includes(recipient.kind) && recipient.field in channel.config.fields)
  )
    return `the recipient of ${channel.type} is no field of its config with the kind email or phone`
  if (channel.destination !== undefined && !Array.isArray(channel.destination))
    return `the destination of ${channel.type} is not a list of field names`
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
