/**
 * The messages of `effect/cluster` in the words of an engine: one line each, with the level of what an operator has to do. A
 * slow database at the start is no error, and has no stack.
 */
import { Cause, Effect, Layer, Logger, type LogLevel } from "effect"
import * as DependencyUnavailable from "../DependencyUnavailable.ts"

interface Line {
  readonly level: LogLevel.LogLevel
  readonly text: string
}

const unreachable =
  "The database does not answer in time to renew this engine's locks; its work stops here (another engine, if one runs, takes it over) until it does"

/** Messages by their text; undefined: the message repeats another one, or says nothing that an operator needs. */
const lines: Readonly<Record<string, Line | undefined>> = {
  "Shard lock storage is unhealthy": { level: "Warn", text: unreachable },
  "Shard lock storage is still unhealthy": undefined,
  "Shard lock storage has recovered": {
    level: "Info",
    text: "The database answers again; this engine takes up its work"
  },
  "Could not acquire/release shards": {
    level: "Warn",
    text: "This engine could not take or return locks; it tries again"
  },
  "Could not release shards, retrying": { level: "Warn", text: "This engine could not return locks; it tries again" },
  // Also said by the last engine that stops.
  "No healthy runners available": undefined
}

const wordsOf = (message: unknown): string => {
  const [first] = Array.isArray(message) ? message : [message]
  return typeof first === "string" ? first : ""
}

/** One line about a cause. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const known = DependencyUnavailable.reason(cause)
  if (known !== undefined) return known
  const error = Cause.squash(cause)
  const words = error instanceof Error ? error.message || error.name : String(error)
  return words.split("\n", 1)[0]!
}

/** Passes messages on to `inner`, those of the cluster as above. */
const translated = <Output>(inner: Logger.Logger<unknown, Output>): Logger.Logger<unknown, Output | void> =>
  Logger.make((options) => {
    const words = wordsOf(options.message)
    if (!Object.hasOwn(lines, words)) return inner.log(options)
    const line = lines[words]
    if (line === undefined) return
    const { level, text } = line
    const parts = Array.isArray(options.message) ? options.message : []
    const cause = [options.cause, ...parts.slice(1)].find((part) => Cause.isCause(part) && part.reasons.length > 0)
    const why = cause === undefined ? "" : ` (${reasonOf(cause as Cause.Cause<unknown>)})`
    return inner.log({ ...options, logLevel: level, message: `${text}${why}`, cause: Cause.empty })
  })

/** The loggers of the process, for the fibers of the cluster. */
export const layer: Layer.Layer<never> = Layer.effect(
  Logger.CurrentLoggers,
  Effect.map(Effect.service(Logger.CurrentLoggers), (loggers) => new Set([...loggers].map(translated)))
)
