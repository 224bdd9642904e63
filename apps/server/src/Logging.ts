/**
 * Logs: for people on a terminal, JSON lines otherwise. Secrets are `Redacted` from the first line that sees them; the
 * filter here is the net below: connection strings and keys that reach a message by way of a library are masked.
 */
import { Context, Effect, Formatter, Layer, Logger, type LogLevel, References } from "effect"
import { Settings } from "./Settings.ts"

const masks: ReadonlyArray<readonly [RegExp, string]> = [
  // User and password of any URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, "$1••••@"],
  [/\bkm_[0-9A-Za-z]{8,}/g, "km_••••"],
  // Heartbeat tokens: by their address, and by their form wherever they stand.
  [/(\/heartbeat\/)[^\s/?#"']+/gi, "$1••••"],
  [/(?<![0-9A-Za-z])[0-9A-Za-z]{43}(?![0-9A-Za-z])/g, "••••"],
  [/\b(bearer|basic)\s+[\w.~+/-]+=*/gi, "$1 ••••"],
  // In JSON, and in JSON within JSON.
  [
    /((?:\\?")?(?:password|secret|token|authorization|cookie|x-api-key|set-cookie)(?:\\?")?\s*[:=]\s*(?:\\?")?)[^\s",;}\\]+/gi,
    "$1••••"
  ]
]

/** Masks what looks like a secret. */
export const mask = (text: string): string =>
  masks.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)

/** Masks every text in a value. */
export const maskAll = <A>(value: A): A => {
  if (typeof value === "string") return mask(value) as A
  if (Array.isArray(value)) return value.map(maskAll) as A
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAll(one)])) as A
}

const write = (line: string): void => {
  process.stdout.write(`${mask(line)}\n`)
}

const json = Logger.make<unknown, void>((options) => write(Formatter.formatJson(Logger.formatStructured.log(options))))

const colours: Record<string, string> = { Fatal: "31", Error: "31", Warn: "33", Info: "32", Debug: "34", Trace: "90" }

const pretty = Logger.make<unknown, void>((options) => {
  const { annotations, cause, level, message, spans: _spans } = Logger.formatStructured.log(options)
  const time = options.date.toISOString().slice(11, 23)
  const label = `\u001B[${colours[options.logLevel] ?? "37"}m${level.toUpperCase().padEnd(5)}\u001B[0m`
  const words = (Array.isArray(message) ? message : [message]).map((part) =>
    typeof part === "string" ? part : Formatter.formatJson(part)
  )
  const details = Object.entries(annotations).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : Formatter.formatJson(value)}`
  )
  write(
    [`\u001B[90m${time}\u001B[0m`, label, ...words, ...details.map((detail) => `\u001B[90m${detail}\u001B[0m`)].join(
      " "
    )
  )
  if (cause !== undefined) write(cause)
})

/** The level of the access log's lines. On a terminal they would scroll away what a person has to read. */
export const AccessLogLevel = Context.Reference<LogLevel.Severity>("@kanmon/server/AccessLogLevel", {
  defaultValue: () => "Info"
})

/** A logger for a terminal, or for a program that reads JSON lines. */
export const layerFor = (terminal: boolean): Layer.Layer<never> =>
  terminal ? Layer.merge(Logger.layer([pretty]), Layer.succeed(AccessLogLevel, "Debug")) : Logger.layer([json])

/** The process's logger, at the level the settings name. */
export const layer: Layer.Layer<never, never, Settings> = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Layer.merge(layerFor(process.stdout.isTTY), Layer.succeed(References.MinimumLogLevel, settings.logLevel))
  )
)
