/** Schemas of the request bodies. Better Auth itself would accept unknown fields and an empty name. */
import { EmailAddress } from "@kanmon/domain/EmailAddress"
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Result, Schema } from "effect"

const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isBetweenLength(minimum, maximum, { message: `Expected ${minimum} to ${maximum} characters` })
  )

const rememberMe = Schema.optionalKey(Schema.Boolean)
// Long passwords cost no more to hash, but reading and storing them should be limited.
const password = text(8, 128)
// On sign-in, a password that breaks the rules is just wrong; the rules are not repeated.
const guess = text(1, 1024)
const email = text(3, 254).check(Schema.isPattern(/^\S+@\S+$/, { message: "Expected an e-mail address" }))

const signUp = decodeStrict(Schema.Struct({ rememberMe, email: EmailAddress, name: Name, password }))
const signIn = decodeStrict(
  Schema.Struct({ rememberMe, email, password: guess, bypassSso: Schema.optionalKey(Schema.Boolean) })
)
const verifyEmail = decodeStrict(Schema.Struct({ email, token: text(1, 4096), password: guess }))
const decodePassword = decodeStrict(Schema.Struct({ password }))

interface Body {
  readonly email?: string
  readonly password?: string
  readonly token?: string
  readonly bypassSso?: boolean
}

/** Decodes the body of a route; other routes have none. */
export const decode = (route: string, body: unknown): Result.Result<Body, InvalidFields> => {
  switch (route) {
    case "/auth/sign-up/email":
      return signUp(body)
    case "/auth/sign-in/email":
      return signIn(body)
    case "/auth/verify-email":
      return verifyEmail(body)
    default:
      return Result.succeed({})
  }
}

/** Validates a new password. */
export const checkPassword = (text: string): Result.Result<unknown, InvalidFields> => decodePassword({ password: text })
