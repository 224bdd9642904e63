/**
 * What a signal brings besides itself: numbers and a message, from its query and its body. Pure. Whatever is wrong with it is
 * named and left out, and never costs the signal: the job has run.
 */
import * as JsonText from "@kanmon/core/JsonText"
import type { FieldError } from "@kanmon/domain/FieldErrors"

export interface SignalContent {
  readonly rid: string
  readonly message: string | null
  readonly metrics: Readonly<Record<string, number>>
  readonly errors: ReadonlyArray<FieldError>
}

const maxMessage = 10_000
const maxMetrics = 50
const maxRid = 64
const metricName = /^[A-Za-z_][\w.-]{0,63}$/

/** `contentType` is the header as it came; "" when there was none. */
export const read = (query: URLSearchParams, text: string, contentType: string): SignalContent => {
  const rid = query.get("rid") ?? ""
  const body = readBody(text, contentType)
  const queried = [...query].flatMap(([name, value]) =>
    name.startsWith("m.") ? [[name.slice(2), value === "" ? undefined : Number(value)] as const] : []
  )
  const { errors, metrics } = readMetrics([...Object.entries(body.metrics), ...queried])
  return {
    rid: storable(rid.slice(0, maxRid)),
    message: body.message === null ? null : storable(body.message.slice(-maxMessage)),
    metrics,
    errors: [
      ...(rid.length > maxRid ? [{ path: "rid", message: `Expected at most ${maxRid} characters` }] : []),
      ...body.errors,
      ...errors
    ]
  }
}

interface Body {
  readonly metrics: Readonly<Record<string, unknown>>
  readonly message: string | null
  readonly errors: ReadonlyArray<FieldError>
}

const asText = (text: string, errors: Body["errors"] = []): Body => ({
  metrics: {},
  message: text.trim() === "" ? null : text,
  errors
})

/**
 * JSON must be `{metrics, message}`. A body is JSON when it says so, or says nothing useful (as curl does) and begins like it.
 * Text is the message, as on healthchecks.io, unless it is exactly such an object: browsers send JSON as text.
 */
const readBody = (text: string, contentType: string): Body => {
  const type = contentType.split(";")[0]!.trim().toLowerCase()
  const parsed = JsonText.parse(text)
  if (type.startsWith("text/")) {
    return isObject(parsed) && Object.keys(parsed).length > 0 && Object.keys(parsed).every(isKnown)
      ? fromObject(parsed)
      : asText(text)
  }
  const isJson = /^application\/(.+\+)?json$/.test(type) || text.trimStart().startsWith("{")
  if (!isJson || text.trim() === "") return asText(text)
  if (isObject(parsed)) return fromObject(parsed)
  return asText(text, [{ path: "", message: `The body is not readable: ${expected}. Text is sent as text/plain` }])
}

const expected = `expected JSON such as {"metrics":{"rows":12},"message":"done"}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isKnown = (key: string): boolean => key === "metrics" || key === "message"

const fromObject = ({ message, metrics, ...unknown }: Readonly<Record<string, unknown>>): Body => ({
  metrics: isObject(metrics) ? metrics : {},
  message: typeof message === "string" && message.trim() !== "" ? message : null,
  errors: [
    ...Object.keys(unknown).map((path) => ({ path, message: `Unknown field; ${expected}` })),
    ...(message === undefined || typeof message === "string" ? [] : [{ path: "message", message: "Expected text" }]),
    ...(metrics === undefined || isObject(metrics)
      ? []
      : [{ path: "metrics", message: "Expected an object of names and numbers" }])
  ]
})

const readMetrics = (entries: ReadonlyArray<readonly [name: string, value: unknown]>) => {
  const errors: Array<FieldError> = []
  const metrics = new Map<string, number>()
  for (const [name, value] of entries) {
    const path = `metrics.${name}`
    if (!metricName.test(name))
      errors.push({
        path,
        message: "Expected a name of at most 64 letters, digits, _, . and -, not beginning with a digit"
      })
    else if (typeof value !== "number" || !Number.isFinite(value)) errors.push({ path, message: "Expected a number" })
    else metrics.set(name, value)
  }
  if (metrics.size > maxMetrics)
    errors.push({ path: "metrics", message: `Expected at most ${maxMetrics} metrics; the others are left out` })
  return { errors, metrics: Object.fromEntries([...metrics].slice(0, maxMetrics)) }
}

/** The database knows no null characters, and no half of a character that was cut in two. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "")
