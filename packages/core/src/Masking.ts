/**
 * Write-only fields: what is shown of a secret, and how a configuration that is sent back with what was shown keeps the
 * stored value. In a field that holds an object, each of its values is a secret.
 */
import type { Schema } from "effect"

const dots = "••••"

/** Four dots and the last four characters; dots alone when that would tell too much. */
export const mask = (secret: string): string => (secret.length < 12 ? dots : `${dots}${secret.slice(-4)}`)

const isObject = (value: unknown): value is Readonly<Record<string, Schema.Json>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const each = (value: Schema.Json, change: (text: string, key?: string) => string): Schema.Json =>
  typeof value === "string"
    ? change(value)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, typeof inner === "string" ? change(inner, key) : inner])
        )
      : value

/** A configuration as it may be read. */
export const masked = (config: Schema.JsonObject, secrets: ReadonlyArray<string>): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(config).map(([field, value]) => [field, secrets.includes(field) ? each(value, mask) : value])
  )

/** A configuration as it was sent, with every value that was sent back masked taken from the stored one. */
export const unmasked = (
  sent: Schema.JsonObject,
  stored: Schema.JsonObject,
  secrets: ReadonlyArray<string>
): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => {
      if (!secrets.includes(field)) return [field, value]
      const kept = stored[field]
      return [
        field,
        each(value, (text, key) => {
          const before = key === undefined ? kept : isObject(kept) ? kept[key] : undefined
          return typeof before === "string" && text === mask(before) ? before : text
        })
      ]
    })
  )

/** Every secret value of a configuration, for taking them out of texts. */
export const secretValues = (config: Schema.JsonObject, secrets: ReadonlyArray<string>): ReadonlyArray<string> =>
  secrets.flatMap((field) => {
    const value = config[field]
    if (typeof value === "string") return [value]
    return isObject(value) ? Object.values(value).filter((inner) => typeof inner === "string") : []
  })
