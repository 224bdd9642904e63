/** The sessions' part of the OpenAPI document, written by hand: their routes belong to a plugin, not to the contract. */
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"

type Json = Readonly<Record<string, unknown>>

export const authTag = {
  name: "Accounts",
  description: "Signing up, signing in and sessions."
}

const string = { type: "string" }
const time = { type: "string", format: "date-time" }
const email = { type: "string", format: "email", maxLength: 254 }
const rememberMe = {
  type: "boolean",
  description: "When false, the session ends when the browser is closed. Default: true."
}

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

const answer = (description: string, schema: Json, example: Json, setsCookie = false): Json => ({
  description,
  content: json(schema, example),
  ...(setsCookie ? { headers: { "Set-Cookie": { description: "The session", schema: string } } } : {})
})

/** What each route may refuse with besides what every route may. */
export const authProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  signUp: ["conflict", "validation_failed", "malformed_request", "payload_too_large", "unsupported_media_type"],
  signIn: ["unauthorized", "validation_failed", "malformed_request", "payload_too_large", "unsupported_media_type"],
  signOut: [],
  getSession: [],
  sendVerificationEmail: ["unauthorized", "conflict", "delivery_failed", "malformed_request"],
  showVerificationPage: [],
  verifyEmail: ["unauthorized", "validation_failed", "malformed_request", "payload_too_large", "unsupported_media_type"]
}

const route = (method: string, operationId: string, summary: string, rest: Json): Json => ({
  [method]: { tags: [authTag.name], operationId, summary, parameters: [], ...rest }
})

const example = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }

const exampleUser = {
  id: "usr_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: example.name,
  email: example.email,
  emailVerified: false,
  image: null,
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

const exampleSession = {
  id: "K4tq8ZxN2vB7cRyL5HsWp9MdJf3GaTe6",
  userId: exampleUser.id,
  token: "Rw6LxZ3NvB8cTyQ5HsKp9MdJf2GaUe7i",
  expiresAt: "2026-11-27T08:30:00.000Z",
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

export const authPaths: Json = {
  [`${basePath}/auth/sign-up/email`]: route("post", "signUp", "Sign up", {
    description:
      'Creates an account with a first project, "Default", and starts a session. Where the operator has set up mail, a link that verifies the address is sent. 403 when sign-up is closed.',
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
    responses: {
      "200": answer(
        "The account, signed in",
        object({ token: string, user }),
        { token: exampleSession.token, user: exampleUser },
        true
      )
    }
  }),
  [`${basePath}/auth/sign-in/email`]: route("post", "signIn", "Sign in", {
    description:
      "Starts a session and sets its cookie. After five failed attempts on an account further ones are delayed: 429 with `Retry-After`.",
    security: [],
    requestBody: body(object({ email, password: string, rememberMe }, ["email", "password"]), {
      email: example.email,
      password: example.password
    }),
    responses: {
      "200": answer(
        "The account, signed in",
        object({ redirect: { const: false }, token: string, user }),
        { redirect: false, token: exampleSession.token, user: exampleUser },
        true
      )
    }
  }),
  [`${basePath}/auth/sign-out`]: route("post", "signOut", "Sign out", {
    description: "Ends the session and removes its cookie. Without a session nothing happens.",
    security: [{ session: [] }, {}],
    responses: {
      "200": answer("Signed out, or there was no session", object({ success: { type: "boolean" } }), { success: true })
    }
  }),
  [`${basePath}/auth/get-session`]: route("get", "getSession", "Get the current session", {
    description: "Returns the session of the request and its account, or null without a session.",
    security: [{ session: [] }, {}],
    responses: {
      "200": answer(
        "Session and account; null when signed out",
        {
          anyOf: [object({ session, user }), { type: "null" }]
        },
        { session: exampleSession, user: exampleUser }
      )
    }
  }),
  [`${basePath}/auth/send-verification-email`]: route("post", "sendVerificationEmail", "Send a verification mail", {
    description:
      "Sends the signed-in account a new link that verifies its e-mail address. An address gets at most three an hour and six a day. 502 `delivery_failed` when the operator has set up no mail.",
    security: [{ session: [] }],
    responses: { "200": answer("The mail is being sent", object({ status: { const: true } }), { status: true }) }
  }),
  [`${basePath}/auth/verify-email`]: {
    ...route("get", "showVerificationPage", "Show the verification page", {
      description: "Shows the page that the link in the mail opens. It asks for the password and changes nothing.",
      security: [],
      parameters: [{ name: "token", in: "query", required: true, schema: string }],
      responses: { "200": { description: "The page", content: { "text/html": { schema: string } } } }
    }),
    ...route("post", "verifyEmail", "Verify an e-mail address", {
      description:
        "Takes the token of the mail together with the account's password, so that following a link is not enough. Failed attempts delay the next ones, as at sign-in.",
      security: [],
      requestBody: body(object({ email, token: string, password: string }), {
        email: example.email,
        token: "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLm9yZyJ9.c2lnbmF0dXJl",
        password: example.password
      }),
      responses: { "200": answer("The address is verified", object({ status: { const: true } }), { status: true }) }
    })
  }
}
