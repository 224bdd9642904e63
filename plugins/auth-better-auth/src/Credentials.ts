/** What a sign-up and a sign-in are made of, and nothing else: Better Auth would take more, and an empty name. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { Name } from "@kanmon/domain/Monitor"
import { Result, Schema } from "effect"

const text = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isBetweenLength(minimum, maximum, { message: `Expected ${minimum} to ${maximum} characters` })
  )

const shared = {
  email: text(3, 254).check(Schema.isPattern(/^\S+@\S+$/, { message: "Expected an e-mail address" })),
  rememberMe: Schema.optionalKey(Schema.Boolean)
}

const signUp = decodeStrict(Schema.Struct({ ...shared, name: Name, password: text(8, 128) }))
// Whoever has forgotten the rules hears that the password is wrong, not how it would have to be.
const signIn = decodeStrict(Schema.Struct({ ...shared, password: text(1, 1024) }))

/** Decodes the body of a route; the other routes take none. */
export const decode = (route: string, body: unknown): Result.Result<{ readonly email?: string }, InvalidFields> =>
  route === "/auth/sign-up/email" ? signUp(body) : route === "/auth/sign-in/email" ? signIn(body) : Result.succeed({})
