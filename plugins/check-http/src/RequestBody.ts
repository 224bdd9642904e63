/** The request body of a monitor, and its media type. */
import { shownWhen } from "@kanmon/core/ShownWhen"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"

const maxLength = 65_536

const withBody = shownWhen("method", ["POST", "PUT", "PATCH"])

export const BodyType = Schema.Literals(["text", "json", "form"]).annotate({
  description:
    "How `body` is sent, with the matching `Content-Type` unless `headers` has one. `json`: any JSON value, or a text that is JSON. `form`: an object of names and values, or a text that is form-encoded. A text without a type is sent as it is, without a `Content-Type`; an object or list is JSON",
  ...withBody
})
export type BodyType = typeof BodyType.Type

export const Body = Schema.Union([
  boundedText(maxLength),
  Schema.Record(Schema.String, Schema.Json),
  Schema.Array(Schema.Json)
]).annotate({ description: "Request body for POST, PUT and PATCH: a text, or JSON", ...withBody })
export type Body = typeof Body.Type

const mediaTypes: Readonly<Record<BodyType, string>> = {
  text: "text/plain;charset=UTF-8",
  json: "application/json",
  form: "application/x-www-form-urlencoded"
}

export interface Encoded {
  readonly text: string | undefined
  /** Undefined when none is to be sent by itself. */
  readonly contentType: string | undefined
}

/** The body as it is sent. */
export const encode = (body: Body | undefined, type: BodyType | undefined): Encoded => {
  if (body === undefined) return { text: undefined, contentType: undefined }
  if (typeof body === "string") return { text: body, contentType: type === undefined ? undefined : mediaTypes[type] }
  if (type === "form") return { text: formOf(body).toString(), contentType: mediaTypes.form }
  return { text: JSON.stringify(body), contentType: mediaTypes.json }
}

const formOf = (body: Exclude<Body, string>): URLSearchParams => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body))
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one))
  return form
}

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** The fields that do not fit each other. */
export const problems = (
  body: Body | undefined,
  type: BodyType | undefined,
  method: string
): ReadonlyArray<FieldError> => {
  if (body === undefined) return type === undefined ? [] : [{ path: "body", message: "Required with bodyType" }]
  const refuse = (message: string): ReadonlyArray<FieldError> => [{ path: "body", message }]
  if (!["POST", "PUT", "PATCH"].includes(method)) return refuse(`A ${method} request has no body`)
  if (typeof body === "string") return type === "json" && !isJson(body) ? refuse("Expected JSON") : []
  if (type === "text") return refuse("Expected a text")
  if (type === "form" && (Array.isArray(body) || !Object.values(body).flat().every(isScalar)))
    return refuse("Expected an object with texts, numbers, booleans, or lists of these as values")
  return (encode(body, type).text?.length ?? 0) > maxLength ? refuse(`Expected at most ${maxLength} characters`) : []
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
