/**
 * The content of a signal besides its address: parameters, numbers and a message, from its query and its body. Pure.
 * Invalid parts are named and dropped, and the signal still counts, because the job has run.
 */
import * as JsonText from "@kanmon/core/JsonText"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import * as SignalParameters from "@kanmon/domain/SignalParameters"
import type { SignalMeaning, SignalWarning } from "@kanmon/domain/SignalParameters"
import { storable } from "./SignalText.ts"

interface SignalContent {
  readonly rid: string
  /** The kinds that the parameters state. */
  readonly stated: ReadonlyArray<SignalMeaning>
  /** The whole text, of any length. */
  readonly message: string | null
  readonly metrics: Readonly<Record<string, number>>
  /** Milliseconds that the job says it took. */
  readonly took: number | null
  readonly warnings: ReadonlyArray<SignalWarning>
  readonly errors: ReadonlyArray<FieldError>
}

const maxMetrics = 50
const maxRid = 64
const metricName = /^[A-Za-z_][\w.-]{0,63}$/

/** `contentType` is the header as it came; "" when there was none. */
export const read = (query: URLSearchParams, text: string, contentType: string): SignalContent => {
  const body = readBody(text, contentType)
  const parts = [SignalParameters.read(query), body.parameters]
  const rid = parts.find((part) => part.rid !== null)?.rid ?? ""
  const said = [parts[0]!.message, parts[1]!.message, body.message].filter((message) => message !== null).join("\n")
  const { errors, metrics } = readMetrics([...Object.entries(body.metrics), ...parts[1]!.metrics, ...parts[0]!.metrics])
  return {
    rid: storable(rid.slice(0, maxRid)),
    stated: parts.flatMap(({ stated }) => stated),
    message: said.trim() === "" ? null : storable(said),
    metrics,
    took: parts.find((part) => part.duration !== null)?.duration ?? null,
    warnings: [...parts.flatMap(({ warnings }) => warnings), ...body.warnings],
    errors: [
      ...(rid.length > maxRid ? [{ path: "rid", message: `Expected at most ${maxRid} characters` }] : []),
      ...body.errors,
      ...errors
    ]
  }
}

interface Body {
  readonly parameters: SignalParameters.SignalParameters
  readonly metrics: Readonly<Record<string, unknown>>
  /** The text of a body that is text. */
  readonly message: string | null
  readonly warnings: ReadonlyArray<SignalWarning>
  readonly errors: ReadonlyArray<FieldError>
}

const noParameters = SignalParameters.read([])

const asText = (text: string, more: Partial<Body> = {}): Body => ({
  parameters: noParameters,
  metrics: {},
  message: text.trim() === "" ? null : text,
  warnings: [],
  errors: [],
  ...more
})

/**
 * JSON must be `{metrics, message, status, …}`. A body is JSON when it says so, or says nothing useful (as curl does) and begins
 * like it. Text is the message, as on healthchecks.io, unless it is exactly such an object: browsers send JSON as text.
 */
const readBody = (text: string, contentType: string): Body => {
  const type = contentType.split(";")[0]!.trim().toLowerCase()
  if (type === "multipart/form-data") return asText(text, { warnings: text === "" ? [] : [unreadMultipart] })
  const isJson = /^application\/(.+\+)?json$/.test(type) || text.trimStart().startsWith("{")
  const parsed = isJson ? JsonText.parse(text) : undefined
  if (type.startsWith("text/")) {
    return isObject(parsed) && Object.keys(parsed).length > 0 && Object.keys(parsed).every(isKnown)
      ? fromObject(parsed)
      : asText(text)
  }
  if (!isJson || text.trim() === "") return readForm(text, type) ?? asText(text)
  if (isObject(parsed)) return fromObject(parsed)
  return asText(text, {
    errors: [{ path: "", message: `The body is not readable: ${expected}. Text is sent as text/plain` }]
  })
}

const unreadMultipart: SignalWarning = {
  code: "unread_body",
  message: "A body of multipart/form-data is kept as text; send application/x-www-form-urlencoded to set parameters"
}

const expected = `expected JSON such as {"metrics":{"rows":12},"message":"done"}`

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isKnown = (key: string): boolean => key === "metrics" || SignalParameters.isParameter(key)

/** Fields of a form; more are text. */
const maxFields = 100

/**
 * The fields of a form. With `-d`, curl announces a form for any text. So text is a form only if its names are known:
 * all of them where it contains blanks (`-d "m=just checking in"`), else one of them.
 */
const readForm = (text: string, type: string): Body | undefined => {
  if (type !== "application/x-www-form-urlencoded" && type !== "") return undefined
  const fields = text.trim().split("&", maxFields + 1)
  const names = fields.map((field) => /^([\w.-]{1,100})=/.exec(field)?.[1] ?? "")
  const known = names.filter(SignalParameters.isParameter).length
  const isForm = /\s/.test(text.trim()) ? known === fields.length : known > 0 && !names.includes("")
  if (!isForm || fields.length > maxFields) return undefined
  const parameters = SignalParameters.read(new URLSearchParams(text.trim()))
  // Keeps text that may have been a sentence readable.
  return asText(parameters.message === null && parameters.warnings.length > 0 ? text : "", { parameters })
}

const fromObject = ({ metrics, ...fields }: Readonly<Record<string, unknown>>): Body => {
  const { message } = fields
  const isText = message === undefined || typeof message === "string"
  const entries = Object.entries(fields)
  const unknown = entries.filter(([key]) => !isKnown(key))
  return asText("", {
    parameters: SignalParameters.read(entries.filter(([key]) => isKnown(key) && (key !== "message" || isText))),
    metrics: isObject(metrics) ? metrics : {},
    errors: [
      ...unknown.map(([path]) => ({ path, message: `Unknown field; ${expected}` })),
      ...(isText ? [] : [{ path: "message", message: "Expected text" }]),
      ...(metrics === undefined || isObject(metrics)
        ? []
        : [{ path: "metrics", message: "Expected an object of names and numbers" }])
    ]
  })
}

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
