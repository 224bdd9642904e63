/**
 * Parses the parameters of a signal from its query, a form or a JSON object, with the names of Kanmon, Uptime Kuma
 * (`status`, `msg`, `ping`), Cronitor (`state`, `series`, `status_code`, `metric`), Better Stack and Dead Man's Snitch
 * (`s`, `m`). Pure. What is not understood is named and never costs the signal.
 */
import type { SignalKind } from "./Heartbeat.ts"

/** The kind that the address of a signal states. */
export interface SignalMeaning {
  readonly kind: SignalKind
  readonly exitCode: number | null
}

/** A part of a signal that was not understood; the signal is recorded without it. */
export interface SignalWarning {
  readonly code: "unknown_parameter" | "unknown_status" | "invalid_parameter" | "contradiction" | "unread_body"
  readonly message: string
}

/** Parameters as they were read; `decide` tells what they mean together with the address. */
export interface SignalParameters {
  /** The kinds that they state, in their order. */
  readonly stated: ReadonlyArray<SignalMeaning>
  readonly rid: string | null
  readonly message: string | null
  /** Milliseconds that the job says it took. */
  readonly duration: number | null
  /** Names and values of metrics; the values are not checked. */
  readonly metrics: ReadonlyArray<readonly [name: string, value: unknown]>
  readonly warnings: ReadonlyArray<SignalWarning>
}

/** Bounds: a request chooses how many parameters it has, and their length. */
const maxParameters = 200
const maxWord = 32
const maxWarnings = 20
const maxMessages = 5

type Entry = readonly [name: string, value: unknown]

const words: Readonly<Record<string, "success" | "fail" | "start">> = {
  up: "success",
  ok: "success",
  success: "success",
  complete: "success",
  down: "fail",
  fail: "fail",
  failed: "fail",
  error: "fail",
  run: "start",
  start: "start"
}
const yes = new Set(["true", "1", "yes"])
const no = new Set(["false", "0", "no"])

type Part = Omit<SignalParameters, "stated" | "metrics" | "warnings"> & {
  readonly stated: SignalMeaning | null
  readonly metric: Entry | null
  readonly warning: SignalWarning | null
}
type Reader = (value: string, name: string) => Partial<Part>

const status: Reader = (value, name) => {
  const word = value.length > maxWord ? "" : value.toLowerCase()
  const kind = Object.hasOwn(words, word) ? words[word]! : undefined
  return kind === undefined
    ? {
        warning: {
          code: "unknown_status",
          message: `${name} is ${quote(value)}, which is none of ${Object.keys(words).join(", ")}`
        }
      }
    : { stated: { kind, exitCode: null } }
}

const successful: Reader = (value, name) => {
  const word = value.length > maxWord ? "" : value.toLowerCase()
  if (yes.has(word)) return { stated: { kind: "success", exitCode: null } }
  if (no.has(word)) return { stated: { kind: "fail", exitCode: null } }
  return invalid(name, value, "true or false")
}

const maxInt32 = 2_147_483_647

/** Windows has exit codes of 32 bits, written with or without a sign. */
const exit: Reader = (value, name) => {
  if (value.length > maxWord || !/^-?\d+$/.test(value)) return invalid(name, value, "an exit code")
  const code = Number(value)
  const exitCode = Math.abs(code) <= maxInt32 ? code + 0 : null
  return { stated: { kind: code === 0 ? "success" : "fail", exitCode: Object.is(exitCode, -0) ? 0 : exitCode } }
}

const duration =
  (unitMillis: number): Reader =>
  (value, name) => {
    const number = value.length > maxWord ? Number.NaN : Number(value) * unitMillis
    return Number.isFinite(number) && number >= 0 ? { duration: number } : invalid(name, value, "a number from 0")
  }

/** Cronitor's `metric=name:value`. */
const metric: Reader = (value, name) => {
  const at = value.lastIndexOf(":")
  if (at <= 0 || value.length > 200) return invalid(name, value, "name:number, such as count:25")
  return { metric: [value.slice(0, at), numberOf(value.slice(at + 1))] }
}

const message: Reader = (value) => ({ message: value })
const rid: Reader = (value) => ({ rid: value })

const readers: Readonly<Record<string, Reader>> = {
  status,
  state: status,
  success: successful,
  exit_code: exit,
  status_code: exit,
  // Dead Man's Snitch: the exit status, or what went wrong.
  s: (value) =>
    /^-?\d{1,11}$/.test(value) ? exit(value, "s") : { stated: { kind: "fail", exitCode: null }, message: value },
  msg: message,
  message,
  m: message,
  rid,
  series: rid,
  ping: duration(1),
  duration: duration(1000),
  metric
}

/** Whether a parameter of this name means something. */
export const isParameter = (name: string): boolean =>
  name.length <= 100 && (Object.hasOwn(readers, name) || name.startsWith("m."))

/** Reads parameters in their order. An empty value says nothing, as in Uptime Kuma's `ping=`. */
export const read = (entries: Iterable<Entry>): SignalParameters => {
  const parts: Array<Partial<Part>> = []
  for (const [name, value] of entries) {
    if (parts.length >= maxParameters) {
      const text = `Only the first ${maxParameters} parameters are read`
      parts.push({ warning: { code: "unknown_parameter", message: text } })
      break
    }
    parts.push(readOne(name, value))
  }
  const messages = parts.flatMap((part) => part.message ?? []).slice(0, maxMessages)
  return {
    stated: parts.flatMap((part) => part.stated ?? []),
    rid: parts.find((part) => part.rid != null)?.rid ?? null,
    message: messages.length === 0 ? null : messages.join("\n"),
    duration: parts.find((part) => part.duration != null)?.duration ?? null,
    metrics: parts.flatMap((part) => (part.metric == null ? [] : [part.metric])),
    warnings: parts.flatMap((part) => part.warning ?? []).slice(0, maxWarnings)
  }
}

const readOne = (name: string, value: unknown): Partial<Part> => {
  if (!isParameter(name))
    return { warning: { code: "unknown_parameter", message: `${quote(name)} is not known and is not used` } }
  if (!Object.hasOwn(readers, name))
    return { metric: [name.slice(2), typeof value === "string" ? numberOf(value) : value] }
  if (!["string", "number", "boolean"].includes(typeof value))
    return value === null
      ? {}
      : { warning: { code: "invalid_parameter", message: `${name} is not a word or a number` } }
  const text = String(value)
  const trimmed = text.trim()
  return trimmed === "" ? {} : readers[name]!(readers[name] === message ? text : trimmed, name)
}

/**
 * The meaning of a signal. A failure that anything states counts: a failing job must not look healthy. Otherwise an action
 * in the address (`explicit`) is stronger than the parameters.
 */
export const decide = (
  address: SignalMeaning & { readonly explicit: boolean },
  stated: ReadonlyArray<SignalMeaning>
): { readonly meaning: SignalMeaning; readonly warnings: ReadonlyArray<SignalWarning> } => {
  const own: SignalMeaning = { kind: address.kind, exitCode: address.exitCode }
  const all = address.explicit || stated.length === 0 ? [own, ...stated] : stated
  const failed = all.find(({ exitCode, kind }) => kind === "fail" && exitCode !== null) ?? all.find(isFailure)
  const chosen = failed ?? all[0]!
  const others = all.filter(({ kind }) => kind !== chosen.kind)
  const exitCode = chosen.exitCode ?? all.find((each) => each.kind === chosen.kind && each.exitCode !== null)?.exitCode
  return {
    meaning: { kind: chosen.kind, exitCode: exitCode ?? null },
    warnings:
      others.length === 0
        ? []
        : [
            {
              code: "contradiction",
              message: `The signal says both ${chosen.kind} and ${others[0]!.kind}; it counts as ${chosen.kind}`
            }
          ]
  }
}

const isFailure = ({ kind }: SignalMeaning): boolean => kind === "fail"

const numberOf = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text))

const invalid = (name: string, value: string, expected: string): Partial<Part> => ({
  warning: { code: "invalid_parameter", message: `${name} is ${quote(value)}; expected ${expected}` }
})

const quote = (text: string): string => {
  const cut = text.length > maxWord ? `${text.slice(0, maxWord)}…` : text
  return JSON.stringify(cut.toWellFormed().replaceAll("\u0000", ""))
}
