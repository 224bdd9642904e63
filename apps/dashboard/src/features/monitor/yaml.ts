/** A monitor as the YAML that `kanmon apply` reads. Pure. */

type Json = Readonly<Record<string, unknown>>

/** Texts that YAML reads as texts without quotes. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/][\w ./@+-]*(?<! )$/i

/** `${` begins a variable in these files. */
const text = (value: string): string => {
  const escaped = value.replaceAll("${", () => "$${")
  if (plain.test(escaped)) return escaped
  // JSON's strings are YAML's, but for two line separators that YAML breaks lines at.
  return JSON.stringify(escaped)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`)
}

const inline = (value: unknown): string => {
  if (typeof value === "string") return text(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return Array.isArray(value) ? (value.length === 0 ? "[]" : "") : Object.keys(value).length === 0 ? "{}" : ""
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** The lines of one entry; nested values on lines of their own, further in. */
const entry = (label: string, value: unknown, indent: string): ReadonlyArray<string> => {
  const short = inline(value)
  if (short !== "") return [`${indent}${label} ${short}`]
  const inner = `${indent}  `
  if (Array.isArray(value)) return [`${indent}${label}`, ...value.flatMap((each) => item(each, inner))]
  return [`${indent}${label}`, ...(isJson(value) ? fields(value, inner) : [])]
}

const item = (value: unknown, indent: string): ReadonlyArray<string> => {
  if (!isJson(value) || Object.keys(value).length === 0) return entry("-", value, indent)
  const [first = "", ...rest] = fields(value, `${indent}  `)
  return [`${indent}- ${first.trimStart()}`, ...rest]
}

const fields = (value: Json, indent: string): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, each]) => entry(`${text(name)}:`, each, indent))

/** A key for a monitor that has none, from its name. */
export const keyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64)
    .replace(/-$/, "") || "monitor"

const mask = /^••••/u

const variableOf = (key: string, field: string): string =>
  `\${${`${key}_${field.replaceAll(/([a-z])([A-Z])/g, "$1_$2")}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(\d)/, "_$1")}}`

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isJson(value) && Object.keys(value).length === 0)

export interface AsCode {
  readonly text: string
  /** Environment variables that stand for secrets, which Kanmon does not show. */
  readonly variables: ReadonlyArray<string>
}

/**
 * The file of one monitor: every field of its type's schema that differs from its default. `keyOfId` is the key of a
 * monitor that it depends on.
 */
export const asCode = (
  record: Json & { readonly name: string; readonly type: string },
  schema: Json,
  key: string,
  keyOfId: (id: string) => string
): AsCode => {
  const properties = isJson(schema["properties"]) ? schema["properties"] : {}
  const variables: Array<string> = []
  const lines = Object.entries(properties).flatMap(([field, property]): ReadonlyArray<string> => {
    const value = record[field]
    if (field === "key" || field === "type" || field === "name" || isEmpty(value)) return []
    const byDefault = isJson(property) ? property["default"] : undefined
    if (byDefault !== undefined && isSame(value, byDefault)) return []
    if (field === "paused" && value === false) return []
    if (typeof value === "string" && mask.test(value)) {
      const variable = variableOf(key, field)
      variables.push(variable.slice(2, -1))
      return [`    ${text(field)}: ${variable}`]
    }
    const shown = field === "dependsOn" && Array.isArray(value) ? value.map((id) => keyOfId(String(id))) : value
    return entry(`${text(field)}:`, shown, "    ")
  })
  return {
    text: [
      "monitors:",
      `  ${text(key)}:`,
      ...entry("name:", record.name, "    "),
      ...entry("type:", record.type, "    "),
      ...lines,
      ""
    ].join("\n"),
    variables
  }
}
