/**
 * Reads the alerts that other software sends: the webhook of Alertmanager (version 4), that of Grafana's unified alerting, and JSON of
 * any form by a mapping. Pure. Each alert counts for itself: one that cannot be read is a warning, and the others are taken.
 * Unknown fields are accepted, because the senders add some with their releases.
 */
import { Result } from "effect"
import { type FieldError, InvalidFields } from "./FieldErrors.ts"
import type { InboundMapping, IntegrationType } from "./Integration.ts"
import { valueAt } from "./JsonPointer.ts"
import { clipped } from "./Line.ts"
import { severities, type Severity } from "./Severity.ts"

/** One alert as its sender states it. */
export interface InboundAlert {
  /** Identifies it among the alerts of the integration. */
  readonly key: string
  readonly status: "firing" | "resolved"
  readonly title: string
  /** Null: that of the rule. */
  readonly severity: Severity | null
  /** One or more sentences; empty when nothing is said. */
  readonly description: string
  /** A web address; null without one. */
  readonly link: string | null
  readonly labels: Readonly<Record<string, string>>
}

/** The readable part of a body. */
export interface Inbound {
  readonly alerts: ReadonlyArray<InboundAlert>
  /** Parts of the body that were not taken. */
  readonly warnings: ReadonlyArray<FieldError>
}

/** The largest number of alerts that are taken of one body. */
export const mostAlerts = 1000
/** The largest number of warnings that are told. */
export const mostWarnings = 50

const longest = {
  key: 256,
  title: 200,
  description: 2000,
  link: 2048,
  labelName: 128,
  label: 512,
  severity: 32
} as const
const mostLabels = 64

/** The key of the alert that an integration is silent: no sender may use it. */
export const quietKey = "kanmon:quiet"

/** Control characters, except the line break. */
const control = /(?!\n)\p{Cc}/gu

/** Readable text of at most `length` characters; undefined when the value is none. Numbers and booleans are written out. */
const textOf = (value: unknown, length: number): string | undefined => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value !== "string") return undefined
  const text = clipped(value, length).toWellFormed().replaceAll("\r\n", "\n").replace(control, " ").trim()
  return text === "" ? undefined : text
}

const lineOf = (value: unknown, length: number): string | undefined => textOf(value, length)?.replaceAll("\n", " ")

/** A key is never cut: two long ones could become the same. */
const keyOf = (value: unknown): string | undefined => {
  if (typeof value === "number" && Number.isFinite(value)) return String(value)
  if (typeof value !== "string" || value.length > longest.key) return undefined
  return value === "" || value === quietKey || !value.isWellFormed() || value.includes("\u0000") ? undefined : value
}

const linkOf = (value: unknown): string | null =>
  typeof value === "string" &&
  value.length <= longest.link &&
  /^https?:\/\/[^\s\p{Cc}]+$/u.test(value) &&
  URL.canParse(value)
    ? value.toWellFormed()
    : null

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first labels, each cut to its longest form. */
const labelsOf = (value: unknown): Readonly<Record<string, string>> => {
  if (!isObject(value)) return {}
  const labels: Array<readonly [string, string]> = []
  for (const name in value) {
    if (labels.length === mostLabels) break
    if (!Object.hasOwn(value, name)) continue
    const [label, text] = [lineOf(name, longest.labelName), textOf(value[name], longest.label)]
    if (label !== undefined && text !== undefined) labels.push([label, text])
  }
  return Object.fromEntries(labels)
}

const words: Readonly<Record<Severity, ReadonlyArray<string>>> = {
  critical: [
    "critical",
    "crit",
    "page",
    "emergency",
    "emerg",
    "fatal",
    "disaster",
    "alert",
    "error",
    "high",
    "p1",
    "sev1"
  ],
  warning: ["warning", "warn", "major", "minor", "average", "medium", "p2", "p3", "sev2", "sev3"],
  info: ["info", "information", "informational", "notice", "low", "none", "debug", "p4", "p5", "sev4", "sev5"]
}
const severityByWord = new Map(
  severities.flatMap((severity) => words[severity].map((word) => [word, severity] as const))
)

/** The severity that a word of another product means; null when it is not known. */
export const severityOf = (value: unknown): Severity | null =>
  typeof value === "string" && value.length <= longest.severity
    ? (severityByWord.get(value.trim().toLowerCase()) ?? null)
    : null

type One = (value: unknown, path: string) => Result.Result<InboundAlert, FieldError>

const broken = (path: string, message: string): Result.Result<never, FieldError> => Result.fail({ path, message })

/** An alert of Alertmanager or Grafana, which describe it alike. */
const ofPrometheus: One = (value, path) => {
  if (!isObject(value)) return broken(path, "Expected an object")
  const key = keyOf(value["fingerprint"])
  if (key === undefined) return broken(`${path}.fingerprint`, `Expected a text of 1 to ${longest.key} characters`)
  const { status } = value
  if (status !== "firing" && status !== "resolved") return broken(`${path}.status`, "Expected firing or resolved")
  if (!isObject(value["labels"])) return broken(`${path}.labels`, "Expected an object")
  const given = value["labels"]
  const annotations = isObject(value["annotations"]) ? value["annotations"] : {}
  const labels = labelsOf(given)
  const name = lineOf(given["alertname"], longest.title)
  const summary = lineOf(annotations["summary"], longest.title)
  const title = summary ?? name ?? key
  const told = ["description", "message"].map((field) => textOf(annotations[field], longest.description))
  return Result.succeed({
    key,
    status,
    title,
    severity: severityOf(given["severity"]),
    description: told.find((text) => text !== undefined) ?? "",
    link: linkOf(value["generatorURL"]) ?? linkOf(value["panelURL"]) ?? linkOf(value["dashboardURL"]),
    labels
  })
}

/** A whole number of alerts that the sender left out. */
const truncatedOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<FieldError> => {
  const count = body["truncatedAlerts"]
  return typeof count === "number" && Number.isInteger(count) && count > 0
    ? [{ path: "truncatedAlerts", message: `The sender left out ${count} alerts of this group` }]
    : []
}

const invalid = (path: string, message: string): Result.Result<never, InvalidFields> =>
  Result.fail(new InvalidFields({ errors: [{ path, message }] }))

/** Reads each of the values; fails when there are some and none can be read. */
const each = (
  values: ReadonlyArray<unknown>,
  path: string,
  one: One,
  told: ReadonlyArray<FieldError>
): Result.Result<Inbound, InvalidFields> => {
  const alerts: Array<InboundAlert> = []
  const errors: Array<FieldError> = []
  for (const [index, value] of values.slice(0, mostAlerts).entries()) {
    const read = one(value, `${path}[${index}]`)
    if (Result.isSuccess(read)) alerts.push(read.success)
    else errors.push(read.failure)
  }
  if (values.length > mostAlerts)
    errors.push({ path, message: `Expected at most ${mostAlerts} alerts: ${values.length - mostAlerts} were left out` })
  if (alerts.length === 0 && errors.length > 0)
    return Result.fail(new InvalidFields({ errors: errors.slice(0, mostWarnings) }))
  const warnings = [...told, ...errors]
  const rest = warnings.length - mostWarnings
  return Result.succeed({
    alerts,
    warnings: rest <= 0 ? warnings : [...warnings.slice(0, mostWarnings), { path: "", message: `${rest} more` }]
  })
}

/** Both versions name themselves: `4` for Alertmanager, `1` for Grafana. */
const webhook =
  (name: string, version: string) =>
  (body: unknown): Result.Result<Inbound, InvalidFields> => {
    if (!isObject(body)) return invalid("", `Expected the webhook body of ${name}: an object with the list alerts`)
    const found = body["version"]
    if (found !== version) return invalid("version", `Expected "${version}", the version of ${name}'s webhook`)
    if (!Array.isArray(body["alerts"])) return invalid("alerts", "Expected a list of alerts")
    return each(body["alerts"], "alerts", ofPrometheus, truncatedOf(body))
  }

/** Words of a status; a boolean or a number says whether the alert fires. */
const firing = new Set([
  "firing",
  "open",
  "opened",
  "triggered",
  "alerting",
  "alarm",
  "problem",
  "down",
  "critical",
  "warning",
  "active",
  "failed",
  "true",
  "1"
])
const resolved = new Set([
  "resolved",
  "ok",
  "closed",
  "up",
  "recovered",
  "recovery",
  "normal",
  "inactive",
  "success",
  "false",
  "0"
])

const statusOf = (value: unknown, resolvedValues: ReadonlyArray<string>): InboundAlert["status"] | undefined => {
  const text = lineOf(value, 64)?.toLowerCase()
  if (text === undefined) return undefined
  if (resolvedValues.some((one) => one.toLowerCase() === text)) return "resolved"
  if (resolvedValues.length > 0) return "firing"
  return resolved.has(text) ? "resolved" : firing.has(text) ? "firing" : undefined
}

/** The fields of the generic form, where nothing is mapped. */
const plain = {
  key: "/key",
  status: "/status",
  title: "/title",
  severity: "/severity",
  description: "/description",
  link: "/link",
  labels: "/labels",
  resolvedValues: []
} as const satisfies Omit<InboundMapping, "alerts">

const ofMapping =
  (mapping: InboundMapping | null): One =>
  (value, path) => {
    const at = { ...plain, ...mapping }
    const named = (pointer: string) => (path === "" ? pointer : `${path}${pointer}`)
    const key = keyOf(valueAt(value, at.key))
    if (key === undefined) return broken(named(at.key), `Expected the key: a text of 1 to ${longest.key} characters`)
    const status = statusOf(valueAt(value, at.status), at.resolvedValues ?? [])
    if (status === undefined) return broken(named(at.status), "Expected the status: firing or resolved")
    const title = lineOf(valueAt(value, at.title), longest.title)
    // The end of an alert needs no more than its key.
    if (title === undefined && status === "firing") return broken(named(at.title), "Expected the title: some text")
    return Result.succeed({
      key,
      status,
      title: title ?? key,
      severity: severityOf(valueAt(value, at.severity)),
      description: textOf(valueAt(value, at.description), longest.description) ?? "",
      link: linkOf(valueAt(value, at.link)),
      labels: labelsOf(valueAt(value, at.labels))
    })
  }

/** A list of alerts, or one alert. */
const generic = (mapping: InboundMapping | null, body: unknown): Result.Result<Inbound, InvalidFields> => {
  const pointer = mapping?.alerts ?? ""
  const found = valueAt(body, pointer)
  if (Array.isArray(found)) return each(found, pointer, ofMapping(mapping), [])
  if (!isObject(found)) return invalid(pointer, "Expected an alert, or a list of alerts")
  const read = ofMapping(mapping)(found, pointer)
  return Result.isSuccess(read)
    ? Result.succeed({ alerts: [read.success], warnings: [] })
    : Result.fail(new InvalidFields({ errors: [read.failure] }))
}

/** The alerts of a parsed body, in its order; fails when nothing in it can be read. */
export const readInbound = (
  type: IntegrationType,
  mapping: InboundMapping | null,
  body: unknown
): Result.Result<Inbound, InvalidFields> => {
  switch (type) {
    case "alertmanager":
      return webhook("Alertmanager", "4")(body)
    case "grafana":
      return webhook("Grafana", "1")(body)
    case "generic":
      return generic(mapping, body)
  }
}
