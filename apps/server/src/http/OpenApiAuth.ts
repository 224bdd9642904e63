/** The sessions' part of the OpenAPI document, written by hand: their routes belong to a plugin, not to the contract. */
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"

type Json = Readonly<Record<string, unknown>>

export const authTag = "Accounts"

const string = { type: "string" }
const time = { type: "string", format: "date-time" }
const email = { type: "string", format: "email", maxLength: 254 }
const rememberMe = { type: "boolean", default: true, description: "false: the session ends with the browser" }

const object = (properties: Json, required: ReadonlyArray<string> = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required: [...required]
})

const user = object({
  id: string,
  name: string,
  email,
  emailVerified: { type: "boolean" },
  image: { type: ["string", "null"] },
  createdAt: time,
  updatedAt: time
})

const session = object(
  { id: string, userId: string, token: string, expiresAt: time, createdAt: time, updatedAt: time },
  ["id", "userId", "expiresAt"]
)

const json = (schema: Json, example?: Json): Json => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) }
})

const body = (schema: Json, example: Json): Json => ({
  required: true,
  content: json({ ...schema, additionalProperties: false }, example)
})

const answer = (description: string, schema: Json, setsCookie = false): Json => ({
  description,
  content: json(schema),
  ...(setsCookie ? { headers: { "Set-Cookie": { description: "The session", schema: string } } } : {})
})

/** What each route may refuse with besides what every route may. */
export const authProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  "auth.signUp": ["conflict", "validation_failed", "malformed_request", "payload_too_large", "unsupported_media_type"],
  "auth.signIn": [
    "unauthorized",
    "validation_failed",
    "malformed_request",
    "payload_too_large",
    "unsupported_media_type"
  ],
  "auth.signOut": [],
  "auth.session": [],
  "auth.sendVerificationEmail": ["unauthorized", "conflict", "delivery_failed", "malformed_request"],
  "auth.showVerification": [],
  "auth.verifyEmail": [
    "unauthorized",
    "validation_failed",
    "malformed_request",
    "payload_too_large",
    "unsupported_media_type"
  ]
}

const route = (method: string, operationId: string, summary: string, rest: Json): Json => ({
  [method]: { tags: [authTag], operationId, summary, parameters: [], ...rest }
})

const example = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }

export const authPaths: Json = {
  [`${basePath}/auth/sign-up/email`]: route(
    "post",
    "auth.signUp",
    'Creates an account and its first project, "Default"',
    {
      security: [],
      requestBody: body(
        object(
          {
            name: { type: "string", minLength: 1, maxLength: 200 },
            email,
            password: { type: "string", minLength: 8, maxLength: 128 },
            rememberMe
          },
          ["name", "email", "password"]
        ),
        example
      ),
      responses: { "200": answer("The account, signed in", object({ token: string, user }), true) }
    }
  ),
  [`${basePath}/auth/sign-in/email`]: route("post", "auth.signIn", "Begins a session", {
    security: [],
    requestBody: body(object({ email, password: string, rememberMe }, ["email", "password"]), {
      email: example.email,
      password: example.password
    }),
    responses: {
      "200": answer("The account, signed in", object({ redirect: { const: false }, token: string, user }), true)
    }
  }),
  [`${basePath}/auth/sign-out`]: route("post", "auth.signOut", "Ends the session", {
    security: [{ session: [] }, {}],
    responses: { "200": answer("Signed out, or was not in", object({ success: { type: "boolean" } })) }
  }),
  [`${basePath}/auth/get-session`]: route("get", "auth.session", "The current session, or null", {
    security: [{ session: [] }, {}],
    responses: {
      "200": answer("Session and account; null when signed out", {
        anyOf: [object({ session, user }), { type: "null" }]
      })
    }
  }),
  [`${basePath}/auth/send-verification-email`]: route(
    "post",
    "auth.sendVerificationEmail",
    "Send a verification mail",
    {
      description:
        "Sends the signed-in account a new link that verifies its e-mail address. An address gets at most three an hour and six a day. 502 when the operator has set up no mail.",
      security: [{ session: [] }],
      responses: { "200": answer("The mail is on its way", object({ status: { const: true } })) }
    }
  ),
  [`${basePath}/auth/verify-email`]: {
    ...route("get", "auth.showVerification", "Show the verification page", {
      description: "The page that the link in the mail leads to. It asks for the password and changes nothing.",
      security: [],
      parameters: [{ name: "token", in: "query", required: true, schema: string }],
      responses: { "200": { description: "The page", content: { "text/html": { schema: string } } } }
    }),
    ...route("post", "auth.verifyEmail", "Verify an e-mail address", {
      description:
        "Takes the token of the mail together with the account's password, so that following a link is not enough. Failed attempts slow down the next ones, as those to sign in do.",
      security: [],
      requestBody: body(object({ email, token: string, password: string }), {
        email: example.email,
        token: "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLm9yZyJ9.c2lnbmF0dXJl",
        password: example.password
      }),
      responses: { "200": answer("The address is verified", object({ status: { const: true } })) }
    })
  }
}
