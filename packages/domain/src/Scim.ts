/**
 * Users and groups of SCIM 2.0 (RFC 7643) as they are stored: identifiers, name, addresses and the active flag. Other
 * attributes are accepted and dropped.
 */
import { Result, Schema } from "effect"
import { filledText } from "./BoundedText.ts"
import { isEmailAddress, normalizeEmail } from "./EmailAddress.ts"
import { fieldErrors } from "./FieldErrors.ts"
import { clipped, isVisible } from "./Line.ts"

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"

/** The forms of messages (RFC 7644, section 8.2). */
export const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
export const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
export const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

/** The media type of requests and responses; requests may be `application/json` as well. */
export const scimMediaType = "application/scim+json"

/** The values of `scimType` that we use (RFC 7644, section 3.12). */
export const scimTypes = [
  "invalidFilter",
  "tooMany",
  "uniqueness",
  "mutability",
  "invalidSyntax",
  "invalidPath",
  "noTarget",
  "invalidValue"
] as const
export type ScimType = (typeof scimTypes)[number]

/** Why a request of an identity provider is refused. `detail` is shown in the provider's own log of provisioning. */
export class ScimRefused extends Schema.TaggedError<ScimRefused>()("ScimRefused", {
  status: Schema.Int,
  scimType: Schema.optionalKey(Schema.Literals(scimTypes)),
  detail: Schema.String
}) {}

/** A request that is wrong in itself. */
export const wrong = (scimType: ScimType, detail: string): ScimRefused =>
  new ScimRefused({ status: scimType === "uniqueness" ? 409 : 400, scimType, detail })

const Text = filledText(1024)

const Email = Schema.Struct({
  value: Text,
  type: Schema.optionalKey(Text),
  primary: Schema.optionalKey(Schema.Boolean)
})

const Name = Schema.Struct({
  formatted: Schema.optionalKey(Text),
  givenName: Schema.optionalKey(Text),
  familyName: Schema.optionalKey(Text)
})

/** The stored fields of a person. */
export const ScimUser = Schema.Struct({
  userName: filledText(320),
  externalId: Schema.optionalKey(filledText(512)),
  displayName: Schema.optionalKey(Text),
  name: Schema.optionalKey(Name),
  emails: Schema.optionalKey(Schema.Array(Email).check(Schema.isMaxLength(20))),
  active: Schema.Boolean
})
export type ScimUser = typeof ScimUser.Type

/** The most members of a group. */
export const maxMembers = 10_000

/** The stored fields of a group; `members` are the ids of users. */
export const ScimGroup = Schema.Struct({
  displayName: filledText(256),
  externalId: Schema.optionalKey(filledText(512)),
  members: Schema.Array(Schema.Struct({ value: Text })).check(Schema.isMaxLength(maxMembers))
})
export type ScimGroup = typeof ScimGroup.Type

/** JSON with names of attributes. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name under which an attribute is in a resource: names are compared without regard to case. */
export const nameIn = (fields: Fields, name: string): string | undefined => {
  if (Object.hasOwn(fields, name)) return name
  const lower = name.toLowerCase()
  return Object.keys(fields).find((key) => key.toLowerCase() === lower)
}

/** The value of an attribute; undefined when it has none. */
export const valueIn = (fields: Fields, name: string): unknown => {
  const key = nameIn(fields, name)
  const value = key === undefined ? undefined : fields[key]
  return value === null ? undefined : value
}

/** The attributes with these names, as the standard writes them, that have a value. Empty texts are none. */
const picked = (fields: unknown, names: ReadonlyArray<string>): Fields =>
  isFields(fields)
    ? Object.fromEntries(
        names.flatMap((name) => {
          const value = valueIn(fields, name)
          return value === undefined || value === "" ? [] : [[name, value]]
        })
      )
    : {}

/** Entra ID writes booleans as text. */
const asFlag = (value: unknown): unknown =>
  typeof value === "string" && /^(true|false)$/i.test(value) ? value.toLowerCase() === "true" : value

const asList = (value: unknown): unknown => (isFields(value) || typeof value === "string" ? [value] : value)

const asEmail = (value: unknown): unknown => {
  const { primary, ...email } = picked(typeof value === "string" ? { value } : value, ["value", "type", "primary"])
  return primary === undefined ? email : { ...email, primary: asFlag(primary) }
}

const decodeUser = Schema.decodeUnknownResult(ScimUser, { errors: "all" })
const decodeGroup = Schema.decodeUnknownResult(ScimGroup, { errors: "all" })

const refusedFor = (error: Schema.SchemaError): ScimRefused =>
  wrong(
    "invalidValue",
    fieldErrors(error.issue)
      .slice(0, 10)
      .map(({ message, path }) => `${path}: ${message}`)
      .join("; ")
  )

/** Reads what an identity provider sends about a person. Unknown attributes are ignored, as the standard wants it. */
export const readUser = (json: unknown): Result.Result<ScimUser, ScimRefused> => {
  const {
    active = true,
    emails,
    name,
    ...rest
  } = picked(json, ["userName", "externalId", "displayName", "name", "emails", "active"])
  const list = asList(emails)
  // An address without a value says nothing: providers send them for people who have none.
  const addresses = Array.isArray(list)
    ? list.map(asEmail).filter((email) => isFields(email) && email["value"] !== undefined)
    : list
  return Result.mapError(
    decodeUser({
      ...rest,
      active: asFlag(active),
      ...(name === undefined
        ? {}
        : { name: isFields(name) ? picked(name, ["formatted", "givenName", "familyName"]) : name }),
      ...(addresses === undefined ? {} : { emails: addresses })
    }),
    refusedFor
  )
}

/** Reads what an identity provider sends about a group. */
export const readGroup = (json: unknown): Result.Result<ScimGroup, ScimRefused> => {
  const { members = [], ...rest } = picked(json, ["displayName", "externalId", "members"])
  const list = asList(members)
  return Result.mapError(
    decodeGroup({
      ...rest,
      members: Array.isArray(list)
        ? list.map((member) => picked(typeof member === "string" ? { value: member } : member, ["value"]))
        : list
    }),
    refusedFor
  )
}

/** The address of a person: the primary one, or the first, or the user name. Undefined when none is an address. */
export const emailOf = ({ emails = [], userName }: ScimUser): string | undefined => {
  const primary = emails.find(({ primary }) => primary === true) ?? emails[0]
  return [primary?.value ?? "", userName].map(normalizeEmail).find(isEmailAddress)
}

/** The display name of a person. */
export const nameOf = ({ displayName, name, userName }: ScimUser): string => {
  const parts = [name?.givenName ?? "", name?.familyName ?? ""].filter((part) => part.trim() !== "").join(" ")
  const found = [displayName, name?.formatted, parts].find((text) => isVisible(text ?? "")) ?? userName
  return clipped(found.trim(), 200)
}

const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)(?::|$)/i

/** The path of an attribute without the name of the standard's own schema; undefined for attributes of others. */
export const withoutSchema = (path: string): string | undefined => {
  const own = path.replace(core, "")
  return /^urn:/i.test(own) ? undefined : own
}

/** The resource with the attributes that were asked for. The identifier and the schemas are always there. */
export const projected = (
  resource: Fields,
  { attributes, excluded }: { readonly attributes: ReadonlyArray<string>; readonly excluded: ReadonlyArray<string> }
): Fields => {
  const isKept = (name: string): boolean => name === "id" || name === "schemas"
  const names = (paths: ReadonlyArray<string>) =>
    paths.flatMap((path) => withoutSchema(path.trim())?.toLowerCase().split(".", 2).join(".") ?? [])
  const wanted = names(attributes)
  const unwanted = new Set(names(excluded))
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]): ReadonlyArray<readonly [string, unknown]> => {
      const lower = name.toLowerCase()
      if (isKept(name)) return [[name, value]]
      if (wanted.length === 0) return unwanted.has(lower) ? [] : [[name, value]]
      if (wanted.includes(lower)) return [[name, value]]
      const parts = wanted.filter((path) => path.startsWith(`${lower}.`)).map((path) => path.slice(lower.length + 1))
      if (parts.length === 0) return []
      const pick = (item: unknown) =>
        isFields(item)
          ? Object.fromEntries(Object.entries(item).filter(([key]) => parts.includes(key.toLowerCase())))
          : item
      return [[name, Array.isArray(value) ? value.map(pick) : pick(value)]]
    })
  )
}
