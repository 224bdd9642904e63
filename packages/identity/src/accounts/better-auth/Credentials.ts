/** Schemas of the request bodies. Better Auth itself would accept unknown fields and an empty name. */
import { filledText } from "@kanmon/domain/BoundedText"
import { EmailAddress } from "@kanmon/domain/EmailAddress"
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { Locale } from "@kanmon/domain/Locale"
import { visible } from "@kanmon/domain/Line"
import { Name } from "@kanmon/domain/Monitor"
import { TimeZone } from "@kanmon/domain/TimeZone"
import { Result, Schema } from "effect"

const text = (minimum: number, maximum: number) => filledText(maximum, { minimum })

const rememberMe = Schema.optionalKey(Schema.Boolean)
// Long passwords cost no more to hash, but reading and storing them should be limited.
const password = text(8, 128)
// On sign-in, a password that breaks the rules is just wrong; the rules are not repeated.
const guess = text(1, 1024)
const email = text(3, 254).check(
  Schema.isPattern(/^[\x21-\x3F\x41-\x7E]+@[\x21-\x3F\x41-\x7E]+$/, { message: "Expected an e-mail address" })
)

/** A name that a person gives. */
const givenName = Name.check(visible)

const code = text(1, 64)
const trustDevice = Schema.optionalKey(Schema.Boolean)
const token = text(1, 4096)
const id = text(1, 100)
const withPassword = Schema.Struct({ password: guess })
/** The response of an authenticator, which the plugin verifies. */
const response = Schema.Record(Schema.String, Schema.Json)

/** The bodies by route. */
const bodies = {
  "/auth/sign-up/email": Schema.Struct({
    rememberMe,
    email: EmailAddress,
    name: givenName,
    password,
    invitation: Schema.optionalKey(text(1, 100)),
    setupCode: Schema.optionalKey(text(1, 100))
  }),
  "/auth/sign-in/email": Schema.Struct({
    rememberMe,
    email,
    password: guess,
    bypassSso: Schema.optionalKey(Schema.Boolean)
  }),
  "/auth/verify-email": Schema.Struct({ email, token, password: guess }),
  "/auth/request-password-reset": Schema.Struct({ email }),
  "/auth/reset-password": Schema.Struct({ token, newPassword: password }),
  "/auth/change-password": Schema.Struct({
    currentPassword: guess,
    newPassword: password,
    revokeOtherSessions: Schema.optionalKey(Schema.Boolean)
  }),
  "/auth/change-email": Schema.Struct({ newEmail: EmailAddress, password: Schema.optionalKey(guess) }),
  "/auth/confirm-email": Schema.Struct({ token, password: Schema.optionalKey(guess) }),
  "/auth/impersonation": Schema.Struct({ token }),
  "/auth/update-user": Schema.Struct({
    name: Schema.optionalKey(givenName),
    locale: Schema.optionalKey(Schema.NullOr(Locale)),
    timezone: Schema.optionalKey(Schema.NullOr(TimeZone))
  }),
  "/auth/prove": withPassword,
  "/auth/two-factor/enable": withPassword,
  "/auth/two-factor/disable": withPassword,
  "/auth/two-factor/get-totp-uri": withPassword,
  "/auth/two-factor/generate-backup-codes": withPassword,
  "/auth/two-factor/verify-totp": Schema.Struct({ code, trustDevice }),
  "/auth/two-factor/verify-backup-code": Schema.Struct({ code, trustDevice }),
  "/auth/passkey/verify-registration": Schema.Struct({ name: Schema.optionalKey(givenName), response }),
  "/auth/passkey/verify-authentication": Schema.Struct({ response }),
  "/auth/passkey/update-passkey": Schema.Struct({ id, name: givenName }),
  "/auth/passkey/delete-passkey": Schema.Struct({ id })
} as const

const decoders = new Map<string, (body: unknown) => Result.Result<Body, InvalidFields>>(
  Object.entries(bodies).map(([route, schema]) => [route, decodeStrict(schema as Schema.Codec<Body>)])
)
const decodePassword = decodeStrict(Schema.Struct({ password }))

/** Any field of any body. */
export interface Body {
  readonly email?: string
  readonly password?: string
  readonly token?: string
  readonly invitation?: string
  readonly setupCode?: string
  readonly bypassSso?: boolean
  readonly name?: string
  readonly newEmail?: string
  readonly newPassword?: string
  readonly currentPassword?: string
  readonly revokeOtherSessions?: boolean
  readonly locale?: string | null
  readonly timezone?: string | null
  readonly code?: string
  readonly trustDevice?: boolean
  readonly id?: string
}

/** Decodes the body of a route; other routes have none. */
export const decode = (route: string, body: unknown): Result.Result<Body, InvalidFields> =>
  decoders.get(route)?.(body) ?? Result.succeed({})

/** Whether a password has to be hashed for a body. */
export const takesHash = ({ currentPassword, newPassword, password }: Body): boolean =>
  (currentPassword ?? newPassword ?? password) !== undefined

/** Validates a new password. */
export const checkPassword = (text: string): Result.Result<unknown, InvalidFields> => decodePassword({ password: text })
