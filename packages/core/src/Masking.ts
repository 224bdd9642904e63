/**
 * Write-only fields: how a secret is masked in responses, how a configuration with masks keeps the stored values, and when
 * that is refused. A field is secret as a whole: every text and number in it, at any depth. A password in a URL is secret
 * in any field.
 */
import { isDeepStrictEqual } from "node:util"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { Result, type Schema } from "effect"
import { basicAuth } from "./WebAddress.ts"

/** The declarations of a channel kind about its fields. */
export interface WriteOnly {
  /** Fields that are write-only. */
  readonly secrets: ReadonlyArray<string>
  /** Fields that decide where secrets are sent; undeclared: every field that is not secret. */
  readonly destination?: ReadonlyArray<string> | undefined
}

/** The replacement for a secret. */
export const dots = "••••"
const maskPattern = /^••••[^]{0,4}$/u

/** Four dots and the last four characters; only dots when the secret is short. */
export const mask = (secret: string): string => (secret.length < 12 ? dots : `${dots}${secret.slice(-4)}`)

/** The masked form of a configuration. */
export const masked = (config: Schema.JsonObject, { secrets }: WriteOnly): Schema.JsonObject =>
  mapObject(config, (value, field) => eachText(value, secrets.includes(field) ? mask : maskPassword))

/** The configuration for readers who may not see these fields: nothing of them is left, and no password in a URL. */
export const hidden = (config: Schema.JsonObject, fields: ReadonlyArray<string>): Schema.JsonObject =>
  mapObject(config, (value, field) => eachText(value, fields.includes(field) ? () => dots : maskPassword))

/** The fields in which two records differ as a reader sees them. `hidden`: settings that look alike, of which a part is not shown. */
export const compareViews = <
  A extends { readonly config: Schema.JsonObject },
  B extends { readonly config: Schema.JsonObject }
>(
  current: A,
  wanted: B,
  view: (config: Schema.JsonObject) => Schema.JsonObject,
  differing: (current: A, wanted: B) => ReadonlyArray<string>,
  prefix = ""
) => {
  const shown = { ...wanted, config: view(wanted.config) }
  const fields = differing({ ...current, config: view(current.config) }, shown)
  const alike = Object.keys(wanted.config)
    .filter((field) => !isDeepStrictEqual(shown.config[field], wanted.config[field]))
    .map((field) => prefix + field)
    .filter((field) => !fields.includes(field))
    .sort()
  return { differing: fields, ...(alike.length === 0 ? {} : { hidden: alike }) }
}

/**
 * The configuration for records that are kept for long and cannot be changed. Addresses keep only their host, because
 * many carry their secret in the path or the query, as incoming webhooks do.
 */
export const withoutPaths = (config: Schema.JsonObject): Schema.JsonObject =>
  mapObject(config, (value) => eachText(value, hostOnly))

/** All secret values of a configuration, for redacting texts. */
export const secretValues = (config: Schema.JsonObject, { secrets }: WriteOnly): ReadonlyArray<string> =>
  Object.entries(config).flatMap(([field, value]) =>
    texts(value).flatMap((text) => [...(secrets.includes(field) ? [text] : []), ...credentialsIn(text)])
  )

/**
 * The submitted configuration with every mask replaced by the stored value. Refuses masks without a stored value, and
 * stored secrets for a changed destination: a user who can change a channel must not be able to send its secrets to another
 * server.
 */
export const unmasked = (
  sent: Schema.JsonObject,
  stored: Schema.JsonObject,
  kind: WriteOnly
): Result.Result<Schema.JsonObject, InvalidFields> => {
  const kept: Array<string> = []
  const unknown: Array<string> = []
  const restore = (value: Schema.Json, before: Schema.Json | undefined, path: string, secret: boolean): Schema.Json => {
    if (Array.isArray(value))
      return value.map((inner, index) =>
        restore(inner, Array.isArray(before) ? before[index] : undefined, `${path}[${index}]`, secret)
      )
    if (isObject(value))
      return mapObject(value, (inner, key) =>
        restore(inner, isObject(before) ? before[key] : undefined, `${path}.${key}`, secret)
      )
    if (typeof value !== "string" || !isMasked(value, secret)) return value
    if (isText(before) && value === (secret ? mask : maskPassword)(String(before))) {
      kept.push(path)
      return before
    }
    unknown.push(path)
    return value
  }
  const config = mapObject(sent, (value, field) => restore(value, stored[field], field, kind.secrets.includes(field)))
  const moved = movedField(stored, config, kind)
  const errors: ReadonlyArray<FieldError> = [
    ...unknown.map((path) => ({ path, message: "Expected the secret itself, not its mask" })),
    ...(moved === undefined ? [] : kept).map((path) => ({
      path,
      message: `Send this secret again, or null to remove it: ${moved} changes, and a stored secret is never sent to another destination`
    }))
  ]
  return errors.length === 0 ? Result.succeed(config) : Result.fail(new InvalidFields({ errors }))
}

/**
 * The first field with a change that leads to another destination. URLs count in any field, and are compared by origin.
 */
const movedField = (
  before: Schema.JsonObject,
  after: Schema.JsonObject,
  { destination, secrets }: WriteOnly
): string | undefined =>
  Object.keys({ ...before, ...after }).find((field) => {
    const decides = destination === undefined ? !secrets.includes(field) : destination.includes(field)
    const [from, to] = [before[field], after[field]]
    return decides
      ? !isDeepStrictEqual(withOrigins(from), withOrigins(to))
      : !isDeepStrictEqual(originsIn(from), originsIn(to))
  })

const originOf = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const { host, protocol } = new URL(text)
  return host === "" ? undefined : `${protocol}//${host}`
}

const withOrigins = (value: Schema.Json | undefined): Schema.Json | undefined =>
  value === undefined ? undefined : eachText(value, (text) => originOf(text) ?? text)

const originsIn = (value: Schema.Json | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : texts(value).flatMap((text) => originOf(text) ?? [])

/** The position of a URL's password, or of its user name when there is no password: tokens are sent as either. */
const userInfoOf = (text: string) => {
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@/i.exec(text)
  if (found === null) return undefined
  const [, scheme = "", userInfo = ""] = found
  const colon = userInfo.indexOf(":")
  const head = scheme + userInfo.slice(0, colon + 1)
  return { head, password: userInfo.slice(colon + 1), tail: text.slice(scheme.length + userInfo.length) }
}

/** Everything behind the host, unless it is the root. */
const hostOnly = (text: string): string => {
  const head = /^[a-z][a-z0-9+.-]*:[\\/]{2}[^\\/?#]*/i.exec(text)?.[0]
  if (head === undefined) return text
  return text.length === head.length || text === `${head}/` ? text : `${head}/${dots}`
}

const maskPassword = (text: string): string => {
  const found = userInfoOf(text)
  return found === undefined || found.password === "" ? text : `${found.head}${dots}${found.tail}`
}

/** A URL's password in plain form and as Basic authentication encodes it (RFC 7617). */
const credentialsIn = (text: string): ReadonlyArray<string> => {
  const password = userInfoOf(text)?.password ?? ""
  if (password === "") return []
  const { authorization = "" } = URL.canParse(text) ? basicAuth(text).headers : {}
  return [password, authorization.replace("Basic ", "")]
}

/** Whether a text stands for a secret, or for an address with a password. */
export const isMasked = (text: string, secret: boolean): boolean =>
  secret ? maskPattern.test(text) : userInfoOf(text)?.password === dots

const isObject = (value: unknown): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

const mapObject = (
  value: Schema.JsonObject,
  change: (inner: Schema.Json, key: string) => Schema.Json
): Schema.JsonObject => Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner, key)]))

const eachText = (value: Schema.Json, change: (text: string) => string): Schema.Json =>
  isText(value)
    ? changedText(value, change)
    : Array.isArray(value)
      ? value.map((inner) => eachText(inner, change))
      : isObject(value)
        ? mapObject(value, (inner) => eachText(inner, change))
        : value

/** A number stays a number when it does not change. */
const changedText = (value: string | number, change: (text: string) => string): string | number => {
  const after = change(String(value))
  return after === String(value) ? value : after
}

const texts = (value: Schema.Json): ReadonlyArray<string> =>
  isText(value)
    ? [String(value)]
    : Array.isArray(value)
      ? value.flatMap(texts)
      : isObject(value)
        ? Object.values(value).flatMap(texts)
        : []
