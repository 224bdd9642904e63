/** Reads the JSON Schema of a plugin's configuration as fields of a form. Pure: it knows no type by name. */
import type { Text } from "../locales/catalogue.ts"

type Json = Readonly<Record<string, unknown>>

export type FieldKind = "text" | "long" | "number" | "switch" | "choice" | "list" | "pairs" | "loose" | "json"

export interface FormField {
  readonly name: string
  readonly label: string
  readonly help: string | undefined
  readonly kind: FieldKind
  readonly required: boolean
  readonly options: ReadonlyArray<string>
  readonly fallback: unknown
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  /** What a number counts, where the description begins with it. */
  readonly unit: Extract<Text, "seconds" | "milliseconds" | "days"> | undefined
  /** Whether the API never returns the value. */
  readonly isSecret: boolean
  /** The other field, and its values (any that is not empty if undefined), with which this one is shown. */
  readonly shownWhen: { readonly field: string; readonly values: ReadonlyArray<string> | undefined } | undefined
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Without the alternative `null`, which is how a field is cleared. */
const unwrap = (schema: Json): Json => {
  const choices = list(schema["anyOf"]).filter(isJson)
  const rest = choices.filter(({ type }) => type !== "null")
  return rest.length === 1 ? { ...schema, anyOf: undefined, ...rest[0] } : schema
}

/** With what its refinements say, such as the format and the description of a URL. */
const refined = (schema: Json): Json => Object.assign({}, ...list(schema["allOf"]).filter(isJson), schema) as Json

const kindOf = (schema: Json): FieldKind => {
  const { type } = schema
  if (Array.isArray(schema["enum"])) return "choice"
  if (type === "boolean") return "switch"
  if (type === "integer" || type === "number") return "number"
  if (type === "string") return Number(schema["maxLength"] ?? 0) >= 4000 && schema["format"] !== "uri" ? "long" : "text"
  if (type === "array" && isJson(schema["items"]) && schema["items"]["type"] === "string") return "list"
  if (
    type === "object" &&
    isJson(schema["additionalProperties"]) &&
    schema["additionalProperties"]["type"] === "string"
  )
    return "pairs"
  const simple = list(schema["anyOf"]).filter(isJson)
  return simple.some(({ type }) => type === "string") ? "loose" : "json"
}

const capitals = new Set(["url", "tls", "ssl", "dns", "json", "http", "id", "ttl", "sql", "tcp", "ip"])

/** `expectedStatus` as "Expected status". */
const labelOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase())
    .map((word, index) =>
      capitals.has(word) ? word.toUpperCase() : index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word
    )
    .join(" ")

const unitOf = (description: unknown): FormField["unit"] => {
  const word = typeof description === "string" ? /^(milliseconds|seconds|days)\b/i.exec(description)?.[1] : undefined
  switch (word?.toLowerCase()) {
    case "seconds":
      return "seconds"
    case "milliseconds":
      return "milliseconds"
    case "days":
      return "days"
    default:
      return undefined
  }
}

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** The sentence about the default is shown as the field's value instead. */
const helpOf = (description: unknown): string | undefined =>
  typeof description === "string"
    ? description
        .replace(/\.? Default: .*$/, "")
        .replace(/; defaults to .*$/, "")
        .replace(/[;.] null means none\.?/i, "")
        // The form shows what is stored masked.
        .replace(/\. (?:Their values are )?write-only$/i, "")
        .replaceAll("`", "")
    : undefined

const conditionOf = (found: unknown): FormField["shownWhen"] =>
  isJson(found) && typeof found["field"] === "string"
    ? { field: found["field"], values: Array.isArray(found["values"]) ? found["values"].map(String) : undefined }
    : undefined

/** What every type has and a form shows elsewhere. */
const managed: ReadonlySet<string> = new Set(["type", "key", "paused"])

export const fieldsOf = (schema: Json, hidden = managed): ReadonlyArray<FormField> => {
  const required = new Set(list(schema["required"]))
  const properties = isJson(schema["properties"]) ? schema["properties"] : {}
  return Object.entries(properties).flatMap(([name, value]): ReadonlyArray<FormField> => {
    if (!isJson(value) || hidden.has(name)) return []
    const own = refined(unwrap(value))
    const title = own["title"]
    return [
      {
        name,
        label: typeof title === "string" ? title : labelOf(name),
        help: helpOf(value["description"] ?? own["description"]),
        kind: kindOf(own),
        required: required.has(name),
        options: list(own["enum"]).map(String),
        fallback: value["default"] ?? own["default"],
        minimum: number(own["minimum"]),
        maximum: number(own["maximum"]),
        unit: unitOf(value["description"] ?? own["description"]),
        isSecret: (value["writeOnly"] ?? own["writeOnly"]) === true,
        shownWhen: conditionOf(value["x-shown-when"] ?? own["x-shown-when"])
      }
    ]
  })
}

/** The fields below `config` of a channel's schema. */
export const configFieldsOf = (schema: Json): ReadonlyArray<FormField> => {
  const properties = isJson(schema["properties"]) ? schema["properties"] : {}
  return isJson(properties["config"]) ? fieldsOf(properties["config"], new Set()) : []
}

/** A value as the text of its control. */
export const textOf = (kind: FieldKind, value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (kind === "list") return list(value).join(", ")
  if (kind === "pairs" && isJson(value))
    return Object.entries(value)
      .map(([name, text]) => `${name}: ${String(text)}`)
      .join("\n")
  if (kind === "loose") return Array.isArray(value) ? value.join(", ") : String(value)
  if (kind === "json") return JSON.stringify(value, null, 2)
  return String(value)
}

const loose = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

/** The value of a control's text; undefined when it is empty. Throws when it is no JSON or number where one is meant. */
const valueOf = (kind: FieldKind, text: string): unknown => {
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  switch (kind) {
    case "list":
      return lines.flatMap((line) => line.split(",").map((part) => part.trim())).filter((part) => part !== "")
    case "pairs":
      return Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":")
          return colon < 0 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
        })
      )
    case "loose":
      return trimmed.includes(",") ? trimmed.split(",").map((part) => loose(part.trim())) : loose(trimmed)
    case "number": {
      const number = Number(trimmed)
      if (Number.isNaN(number)) throw new TypeError("Not a number")
      return number
    }
    case "json":
      return JSON.parse(trimmed) as unknown
    default:
      return text
  }
}

/** The value of a field's text, for the body of a request; undefined when it was left empty. */
export const valueOfField = ({ kind }: FormField, text: string): unknown =>
  kind === "switch" ? (text === "" ? undefined : text === "true") : valueOf(kind, text)

/** Whether a field's text cannot be read as its value. */
export const isUnreadable = (field: FormField, text: string): boolean => {
  try {
    valueOfField(field, text)
    return false
  } catch {
    return true
  }
}

/** Whether a form with these values shows the field: always when it has a value or an error. */
export const isShown = (
  { name, shownWhen }: FormField,
  fields: ReadonlyArray<FormField>,
  draft: Readonly<Record<string, string>>,
  wrong: Readonly<Record<string, string>>
): boolean => {
  const other = fields.find((field) => field.name === shownWhen?.field)
  // A field that depends on one that there is not would never be shown.
  if (shownWhen === undefined || other === undefined) return true
  if ((draft[name] ?? "") !== "" || wrong[name] !== undefined) return true
  const typed = draft[other.name] ?? ""
  const value = typed === "" ? textOf(other.kind, other.fallback) : typed
  return shownWhen.values === undefined ? value !== "" : shownWhen.values.includes(value)
}
