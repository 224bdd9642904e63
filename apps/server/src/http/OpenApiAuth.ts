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
  "auth.session": []
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
  })
}
