/** State of a sign-in between its steps: to the identity provider, back, and the password prompt. */
import { Schema } from "effect"

const Remembered = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ step: Schema.Literal("oidc"), verifier: Schema.String, nonce: Schema.String }),
    Schema.Struct({ step: Schema.Literal("saml"), requestId: Schema.String, browser: Schema.String }),
    Schema.Struct({
      step: Schema.Literals(["finish", "connect"]),
      assertion: Schema.optionalKey(Schema.String),
      claims: Schema.Record(Schema.String, Schema.Json),
      identity: Schema.Struct({
        subject: Schema.String,
        email: Schema.optional(Schema.String),
        emailVerified: Schema.optional(Schema.Boolean),
        name: Schema.optional(Schema.String),
        groups: Schema.Array(Schema.String)
      })
    })
  ])
)
/** As it is stored beside the state of the sign-in. */
export const remember = Schema.encodeSync(Remembered)
export const recall = Schema.decodeSync(Remembered)

/** The claims of a provider, without values that JSON cannot represent. */
export const asJson = (claims: Readonly<Record<string, unknown>>): Record<string, Schema.Json> =>
  JSON.parse(JSON.stringify(claims)) as Record<string, Schema.Json>
