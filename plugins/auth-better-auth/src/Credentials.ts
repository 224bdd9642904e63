/** What the bodies of the routes are made of, and nothing else: Better Auth would take more, and an empty name. */
import { EmailAddress } from "@kanmon/domain/EmailAddress"
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Result, Schema } from "effect"

const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isBetweenLength(minimum, maximum, { message: `Expected ${minimum} to ${maximum} characters` })
  )

const rememberMe = Schema.optionalKey(Schema.Boolean)
// Long ones cost as much to hash as short ones, but to read and to keep they should be bounded.
const password = text(8, 128)
// Whoever has forgotten the rules hears that the password is wrong, not how it would have to be.
const guess = text(1, 1024)
const email = text(3, 254).check(Schema.isPattern(/^\S+@\S+$/, { message: "Expected an e-mail address" }))

const signUp = decodeStrict(Schema.Struct({ rememberMe, email: EmailAddress, name: Name, password }))
const signIn = decodeStrict(Schema.Struct({ rememberMe, email, password: guess }))
const verifyEmail = decodeStrict(Schema.Struct({ email, token: text(1, 4096), password: guess }))
const decodePassword = decodeStrict(Schema.Struct({ password }))

interface Body {
  readonly email?: string
  readonly password?: string
  readonly token?: string
}

/** Decodes the body of a route; the other routes take none. */
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

/** Whether a password keeps the rules. */
export const checkPassword = (text: string): Result.Result<unknown, InvalidFields> => decodePassword({ password: text })
