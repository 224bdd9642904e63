/** `kanmon check <url or host>`: runs one check locally and prints the time of each stage. Needs no server. */
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { CheckRunner, type CheckResult } from "@kanmon/core/CheckRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as CheckNetwork from "@kanmon/core/CheckNetwork"
import { Console, Data, Effect, Layer, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Plugins from "../Plugins.ts"
import { Settings } from "../Settings.ts"

class NotCheckable extends Data.TaggedError("NotCheckable")<{ readonly message: string }> {}

/** The type and configuration for a target: a URL is http, `host:port` is tcp, a host alone is ping. */
const guess = (target: string): { readonly type: string; readonly config: Record<string, unknown> } => {
  if (/^https?:\/\//i.test(target)) return { type: "http", config: { url: target } }
  const port = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(target)
  if (port !== null) return { type: "tcp", config: { host: port[1] ?? port[2], port: Number(port[3]) } }
  return { type: "ping", config: { host: target } }
}

const ofType = (type: string, target: string): Record<string, unknown> =>
  type === "dns"
    ? { hostname: target }
    : guess(type === "http" && !target.includes("://") ? `https://${target}` : target).config

const stages = {
  dns: "name lookup",
  connect: "connect",
  tls: "TLS handshake",
  firstByte: "first byte",
  download: "download"
} as const

const colour = { up: "32", degraded: "33", down: "31", unknown: "35" } as const

const report = (target: string, result: CheckResult): string => {
  const status = process.stdout.isTTY
    ? `\u001B[${colour[result.status]}m${result.status.toUpperCase()}\u001B[0m`
    : result.status.toUpperCase()
  const time = result.responseTime === null ? "" : `  ${result.responseTime} ms`
  const certificate = result.facts["certificate"] as
    { readonly subject?: string; readonly issuer?: string; readonly validTo?: string } | undefined
  const rows: ReadonlyArray<readonly [string, unknown]> = [
    ...Object.entries(stages)
      .map(([stage, words]) => [words, result.timing[stage as keyof typeof stages]] as const)
      .filter(([, millis]) => millis !== undefined)
      .map(([words, millis]) => [words, `${String(millis)} ms`] as const),
    ["status", result.facts["statusCode"]],
    ["address", result.facts["address"]],
    ["redirected to", result.facts["finalUrl"]],
    ["records", (result.facts["records"] as ReadonlyArray<string> | undefined)?.join(", ")],
    [
      "certificate",
      certificate === undefined
        ? undefined
        : `${certificate.subject ?? "?"}, from ${certificate.issuer ?? "?"}, until ${certificate.validTo ?? "?"}`
    ]
  ]
  return [
    `${status}  ${target}${time}`,
    ...(result.failure === null ? [] : [`  ${result.failure.message} (${result.failure.code})`]),
    ...rows
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => `  ${name.padEnd(14)}${String(value)}`)
  ].join("\n")
}

/** Private addresses are allowed, because the command line is used to check one's own machines. */
const network = Layer.unwrap(
  Effect.map(Settings, ({ checkResolver, dnsResolver }) =>
    CheckNetwork.layer({
      allowPrivate: true,
      server: Option.getOrUndefined(Option.orElse(checkResolver, () => dnsResolver))
    })
  )
)

export const check = Command.make(
  "check",
  {
    target: Argument.String("target").pipe(Argument.withDescription("URL, host:port, or host")),
    type: Flag.String("type").pipe(Flag.withDescription("http, tcp, ping, dns, or a plugin's"), Flag.optional),
    timeout: Flag.Finite("timeout").pipe(Flag.withDescription("Seconds"), Flag.withDefault(30)),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print the result as JSON"), Flag.withDefault(false))
  },
  ({ json, target, timeout, type }) =>
    Effect.gen(function* () {
      const { checks } = yield* Catalogue
      const runner = yield* CheckRunner
      const asked = Option.match(type, {
        onNone: () => guess(target),
        onSome: (name) => ({ type: name, config: ofType(name, target) })
      })
      const kind = checks.get(asked.type)
      if (kind === undefined) {
        return yield* new NotCheckable({
          message: `There is no check type ${asked.type}; there are ${[...checks.keys()].join(", ")}`
        })
      }
      const prepared = kind.prepare(asked.config)
      if (Result.isFailure(prepared)) return yield* new NotCheckable({ message: prepared.failure.message })
      const result = yield* runner.run(prepared.success, timeout * 1000, timeout * 1000)
      yield* Console.log(json ? JSON.stringify(result, null, 2) : report(prepared.success.target, result))
      process.exitCode = result.status === "up" || result.status === "degraded" ? 0 : result.status === "down" ? 1 : 2
    }).pipe(
      Effect.provide(
        CheckRunner.layer({ region: "here", concurrency: 1, hostConcurrency: 1 }).pipe(
          Layer.provide([network, BoundedEvaluator.layer]),
          Layer.merge(Plugins.layer)
        )
      ),
      Effect.provide(Settings.layer)
    )
).pipe(
  Command.withDescription("Runs one check locally and prints the time of each stage"),
  Command.withExamples([
    { command: "kanmon check https://example.org", description: "A URL" },
    { command: "kanmon check db.example.org:5432", description: "A TCP port" },
    { command: "kanmon check --type dns example.org", description: "A name" }
  ])
)
