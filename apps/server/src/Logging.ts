/**
 * Logs: readable lines on a terminal, JSON lines otherwise. Secrets are `Redacted` values; in addition, connection strings and
 * keys are masked here, because libraries put them into messages.
 */
import { AccessLogLevel } from "@kanmon/platform/http/AccessLogLevel"
import { mask } from "@kanmon/platform/LogMask"
import { Effect, Formatter, Layer, Logger, References } from "effect"
import { Settings } from "./Settings.ts"

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

/** A logger for a terminal, or for a program that reads JSON lines. */
export const layerFor = (terminal: boolean): Layer.Layer<never> =>
  terminal ? Layer.merge(Logger.layer([pretty]), Layer.succeed(AccessLogLevel, "Debug")) : Logger.layer([json])

/** The process's logger, at the level the settings name. */
export const layer: Layer.Layer<never, never, Settings> = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Layer.merge(layerFor(process.stdout.isTTY), Layer.succeed(References.MinimumLogLevel, settings.logLevel))
  )
)
