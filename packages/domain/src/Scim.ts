/**
 * Users and groups of SCIM 2.0 (RFC 7643) as they are kept: what identifies a person, the name, the addresses, and whether the person
 * may come in. Other attributes are accepted and not kept.
 */
import { Schema } from "effect"
import { isEmailAddress, normalizeEmail } from "./EmailAddress.ts"

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
export const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
export const listSchema = "urn:ietf:params:scim:api:messages:2.0:ListResponse"

const text = Schema.String.check(Schema.isMaxLength(1024))
/** Entra ID writes booleans as text. */
const flag = Schema.Union([Schema.Boolean, Schema.String.check(Schema.isPattern(/^(true|false)$/i))])

const Email = Schema.Struct({
  value: text,
  type: Schema.optionalKey(text),
  primary: Schema.optionalKey(flag)
})

const Name = Schema.Struct({
  formatted: Schema.optionalKey(text),
  givenName: Schema.optionalKey(text),
  familyName: Schema.optionalKey(text)
})

/** What an identity provider sends about a person. Unknown attributes are ignored, as the standard wants it. */
export const ScimUserBody = Schema.Struct({
  userName: Schema.String.check(Schema.isBetweenLength(1, 320)),
  externalId: Schema.optionalKey(Schema.NullOr(text)),
  displayName: Schema.optionalKey(Schema.NullOr(text)),
  name: Schema.optionalKey(Schema.NullOr(Name)),
  emails: Schema.optionalKey(Schema.Array(Email).check(Schema.isMaxLength(20))),
  active: Schema.optionalKey(flag)
})
export type ScimUserBody = typeof ScimUserBody.Type

export const ScimGroupBody = Schema.Struct({
  displayName: Schema.String.check(Schema.isBetweenLength(1, 256)),
  externalId: Schema.optionalKey(Schema.NullOr(text)),
  members: Schema.optionalKey(Schema.Array(Schema.Struct({ value: text })).check(Schema.isMaxLength(10_000)))
})
export type ScimGroupBody = typeof ScimGroupBody.Type

const isTrue = (value: boolean | string): boolean => value === true || String(value).toLowerCase() === "true"

/** Whether the person may come in; true when nothing is said. */
export const isActive = ({ active }: ScimUserBody): boolean => active === undefined || isTrue(active)

/** The address of a person: the primary one, or the first, or the user name. Undefined when none is an address. */
export const emailOf = ({ emails = [], userName }: ScimUserBody): string | undefined => {
  const primary = emails.find(({ primary }) => primary !== undefined && isTrue(primary)) ?? emails[0]
  return [primary?.value ?? "", userName].map(normalizeEmail).find(isEmailAddress)
}

/** What a person is called. */
export const nameOf = ({ displayName, name, userName }: ScimUserBody): string => {
  const parts = [name?.givenName ?? "", name?.familyName ?? ""].filter((part) => part.trim() !== "").join(" ")
  return ([displayName, name?.formatted, parts].find((text) => (text ?? "").trim() !== "") ?? userName).trim().slice(0, 200)
}
