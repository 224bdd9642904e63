/**
 * Loads plugins and registers their parts, by kind. Unusable plugins are refused with a one-line reason; all others are
 * loaded.
 */
import { Monitor } from "@kanmon/domain/Monitor"
import { Context, Effect, Layer, Result, Schema } from "effect"
import type { Auth } from "./Auth.ts"
import type { Activity } from "./Activity.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"
import { contract, type Plugin } from "./Plugin.ts"
import * as PluginGuard from "./PluginGuard.ts"
import * as PluginOwner from "./PluginOwner.ts"
import type { PluginSource } from "./PluginSource.ts"
import * as Quarantine from "./Quarantine.ts"

/** A plugin, or a part of one, that was refused. */
export interface Refusal {
  readonly plugin: string
  readonly reason: string
}

/** One source and its result. */
export interface Loaded {
  /** The plugin's own name; undefined when it did not load. */
  readonly name: string | undefined
  readonly source: PluginSource
  readonly checks: ReadonlyArray<Check>
  readonly channels: ReadonlyArray<Channel>
  readonly auths: ReadonlyArray<Auth>
  /** Why the plugin, or parts of it, were refused. */
  readonly refused: ReadonlyArray<string>
}

/** The parts that all plugins provide together. */
export class Catalogue extends Context.Service<
  Catalogue,
  {
    readonly checks: ReadonlyMap<string, Check>
    readonly channels: ReadonlyMap<string, Channel>
    readonly auths: ReadonlyArray<Auth>
    readonly refused: ReadonlyArray<Refusal>
    /** All sources in order. */
    readonly plugins: ReadonlyArray<Loaded>
    /** Changes whenever the plugin of this type of check or channel does. */
    readonly versionOf: (kind: "check" | "channel", type: string) => string
  }
>()("@kanmon/core/Catalogue") {
  static readonly layer = (sources: ReadonlyArray<PluginSource>): Layer.Layer<Catalogue> =>
    Layer.effect(Catalogue, load(sources))
}

/**
 * Slower third-party plugins are refused. Plugins of this version are waited for: without them monitors would stay
 * unchecked.
 */
const loadWithin = "10 seconds"

/** Imports every source and registers what it provides. The first source of a type wins. */
export const load = Effect.fn("PluginHost.load")(function* (sources: ReadonlyArray<PluginSource>) {
  const checks = new Map<string, Check>()
  const channels = new Map<string, Channel>()
  const auths = new Map<string, Auth>()
  const versions = new Map<string, string>()
  const { holds } = yield* Quarantine.decisions
  const loaded = yield* Effect.forEach(
    sources,
    (source) =>
      holds("plugin", () => ofPlugin("plugin", source.name, source))
        ? Effect.succeed(Result.fail(heldBack))
        : Effect.result(open(source)),
    { concurrency: "unbounded" }
  )

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
        const problem = source.inspected === true ? undefined : tried(problemOf, part)
        const name = problem === undefined ? (part[key] as string) : ""
        if (problem !== undefined) refuse(problem)
        else if (known.has(name)) refuse(`the ${String(key)} ${name} is already taken`)
        else return known.set(name, held(part))
        return false
      })
    const plugin = result.success
    const version = versionOf(source)
    const guard = source.outside === true ? PluginGuard.make(plugin.name, version) : undefined
    const authHeld = holds("auth", () => ofPlugin("auth", plugin.name, source))
    if (authHeld && plugin.auths.length > 0) refuse(`its auth is not used: ${heldBack}`)
    const itsChecks = taken(checks, plugin.checks, checkProblem, "type", guard?.check)
    const itsChannels = taken(channels, plugin.channels, channelProblem, "type", guard?.channel)
    for (const { kind, type } of [...itsChecks, ...itsChannels]) versions.set(`${kind} ${type}`, version)
    return {
      name: plugin.name,
      source,
      checks: itsChecks,
      channels: itsChannels,
      auths: taken(auths, authHeld ? [] : plugin.auths, authProblem, "name", guard?.auth),
      refused
    }
  })
  const refused = plugins.flatMap(({ refused: reasons, source }) =>
    reasons.map((reason): Refusal => ({ plugin: source.name, reason }))
  )
  for (const refusal of refused)
    yield* Effect.logError("A plugin was refused").pipe(Effect.annotateLogs({ ...refusal }))
  return Catalogue.of({
    checks,
    channels,
    auths: [...auths.values()],
    refused,
    plugins,
    versionOf: (kind, type) => versions.get(`${kind} ${type}`) ?? ""
  })
})

const heldBack = "it blocked this process for seconds, twice; it is not run until its files change"

const ofPlugin = (kind: "auth" | "plugin", key: string, source: PluginSource): Activity => ({
  kind,
  key,
  version: versionOf(source),
  label: source.name,
  size: null
})

/** A plugin without files that can be found is refused when it is loaded. */
const versionOf = (source: PluginSource): string => {
  try {
    return source.version?.() ?? ""
  } catch {
    return ""
  }
}

const open = ({ load: loadModule, name: sourceName, outside = false }: PluginSource): Effect.Effect<Plugin, string> =>
  Effect.tryPromise({
    try: async () => loadModule(),
    catch: (cause) => `it cannot be imported: ${said(cause)}`
  }).pipe(
    (loading) =>
      outside
        ? Effect.timeoutOrElse(loading, {
            duration: loadWithin,
            orElse: () => Effect.fail(`it did not finish loading within ${loadWithin}`)
          })
        : loading,
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
    return Effect.fail(`it was built for contract ${theirs}; this is contract ${contract}`)
  }
  const { auths = [], channels = [], checks = [], name } = plugin as Partial<Plugin>
  if (typeof name !== "string" || name === "") return Effect.fail("it has no name")
  if (![checks, channels, auths].every(Array.isArray)) return Effect.fail("checks, channels and auths must be lists")
  return Effect.succeed({ name, contract, checks: [...checks], channels: [...channels], auths: [...auths] })
}

const said = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Inspects a part of a plugin; an exception becomes the reason for refusal. */
const tried = <A>(problemOf: (part: A) => string | undefined, part: A): string | undefined => {
  if (typeof part !== "object" || part === null) return "it provides something that was not created with define"
  try {
    return problemOf(part)
  } catch (error) {
    return `it throws when it is inspected: ${said(error)}`
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
  if (!Schema.isSchema(part.config)) return `${part.type} has no config schema; create it with define`
  try {
    Schema.toJsonSchemaDocument(part.config as Schema.Top)
    return undefined
  } catch (error) {
    return `the config of ${part.type} has no JSON Schema: ${said(error)}`
  }
}

const checkProblem = (check: Check): string | undefined => {
  const problem = described(check)
  if (problem !== undefined) return problem
  if (
    typeof check.title !== "string" ||
    typeof check.normalize !== "function" ||
    typeof check.prepare !== "function" ||
    !Array.isArray(check.secrets) ||
    !(check.defaults?.timeout >= 0.1 && check.defaults.timeout <= 120)
  )
    return `${check.type} is incomplete; create it with Check.define, with a timeout of 0.1 to 120 seconds`
  const common = Object.keys(check.config.fields ?? {}).find((field) => field in Monitor.fields)
  if (common !== undefined) return `the config of ${check.type} has a field ${common}, which every monitor already has`
  return exampleProblem(check.type, () => check.prepare(check.example))
}

const channelProblem = (channel: Channel): string | undefined => {
  const problem = described(channel)
  if (problem !== undefined) return problem
  if (typeof channel.title !== "string" || typeof channel.start !== "function" || !Array.isArray(channel.secrets))
    return `${channel.type} is incomplete; create it with Channel.define`
  const { recipient } = channel
  if (
    recipient !== undefined &&
    !(
      ["email", "phone"].includes(recipient.kind) &&
      recipient.field in channel.config.fields &&
      (recipient.more === undefined || recipient.more in channel.config.fields)
    )
  )
    return `the recipient of ${channel.type} must be a field of its config with the kind email or phone, and its further recipients another one`
  if (channel.destination !== undefined && !Array.isArray(channel.destination))
    return `the destination of ${channel.type} must be a list of field names`
  return exampleProblem(channel.type, () => channel.start(channel.example))
}

const authProblem = (auth: Auth): string | undefined => {
  if (typeof auth.name !== "string" || auth.name === "") return "it provides an auth without a name"
  return typeof auth.start === "function" && Schema.isSchema(auth.settings)
    ? undefined
    : `the auth ${auth.name} is incomplete; create it with Auth.define`
}

const exampleProblem = (
  type: string,
  decode: () => Result.Result<unknown, { readonly message: string }>
): string | undefined => {
  try {
    const result = decode()
    if (!Result.isResult(result)) return `${type} is incomplete; create it with define`
    return Result.isFailure(result) ? `the example of ${type} is invalid: ${result.failure.message}` : undefined
  } catch (error) {
    return `the example of ${type} cannot be used: ${said(error)}`
  }
}
