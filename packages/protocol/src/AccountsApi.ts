/** Endpoints of accounts and sessions, served by the auth plugin. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Account, Email, Session } from "./AccountBody.ts"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { ByMediaType, operation } from "./internal/Operation.ts"

const rememberMe = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "When false, the session ends when the browser is closed. Default: true." })
)

const page = Schema.String.annotate({ description: "The page" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)

const cookie = { "Set-Cookie": "The session" }

/** Errors of a request body before the plugin reads it. */
const body = ["malformed_request", "forbidden", "payload_too_large", "unsupported_media_type"] as const

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("signUp", "/sign-up/email", {
      payload: Schema.Struct({
        name: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
        email: Email,
        password: Schema.String.check(Schema.isMinLength(8), Schema.isMaxLength(128)),
        rememberMe
      }),
      success: Schema.Struct({ token: Schema.NullOr(Schema.String), user: Account }),
      error: refuses(...body, "request_timeout", "conflict", "sso_required", "validation_failed")
    }).annotateMerge(
      operation({
        id: "signUp",
        summary: "Sign up",
        description:
          'Creates an account with a first project, "Default", and starts a session. A link that verifies the address is sent, or printed on the console of the server where the operator has set up no mail. 403 when sign-up is closed.',
        request: { name: Examples.user.name, email: Examples.user.email, password: Examples.password },
        response: { token: Examples.sessionToken, user: Examples.user },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("signIn", "/sign-in/email", {
      payload: Schema.Struct({
        email: Email,
        password: Schema.String,
        rememberMe,
        bypassSso: Schema.optionalKey(
          Schema.Boolean.annotate({
            description:
              "Whether an owner with a second factor signs in although the organization requires single sign-on, for example while its identity provider is down. It is recorded. Default: false."
          })
        )
      }),
      success: Schema.Struct({ redirect: Schema.Literal(false), token: Schema.String, user: Account }),
      error: refuses(...body, "request_timeout", "unauthorized", "sso_required", "validation_failed")
    }).annotateMerge(
      operation({
        id: "signIn",
        summary: "Sign in",
        description:
          "Starts a session and sets its cookie. After five failed attempts on an account further ones are delayed: 429 with `Retry-After`.",
        request: { email: Examples.user.email, password: Examples.password },
        response: { redirect: false, token: Examples.sessionToken, user: Examples.user },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("signOut", "/sign-out", {
      success: Schema.Struct({ success: Schema.Boolean }),
      error: refuses(...body)
    }).annotateMerge(
      operation({
        id: "signOut",
        summary: "Sign out",
        description:
          "Ends the session, of a browser or of a program, and removes its cookie. Without a session nothing happens.",
        audience: "account",
        anonymous: true,
        forPrograms: true,
        response: { success: true },
        headers: { "Set-Cookie": "The session, removed" }
      })
    ),
    HttpApiEndpoint.get("session", "/get-session", {
      success: Schema.NullOr(Schema.Struct({ session: Session, user: Account })),
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "getSession",
        summary: "Get the current session",
        description:
          "Returns the session of the request and its account, or null without a session: that of a browser by its cookie, or that of a program by its token.",
        audience: "account",
        anonymous: true,
        forPrograms: true,
        response: { session: Examples.session, user: Examples.user },
        headers: { "Set-Cookie": "The session, when it was prolonged or has ended" }
      })
    ),
    HttpApiEndpoint.post("sendVerification", "/send-verification-email", {
      success: Schema.Struct({ status: Schema.Literal(true) }),
      error: refuses(...body, "unauthorized", "conflict", "delivery_failed")
    }).annotateMerge(
      operation({
        id: "sendVerificationEmail",
        summary: "Send a verification mail",
        description:
          "Sends the signed-in account a new link that verifies its e-mail address. An address gets at most three an hour and six a day. Where the operator has set up no mail, the link is printed on the server's console. 502 `delivery_failed` when the mail server refuses the mail.",
        audience: "account",
        response: { status: true }
      })
    ),
    HttpApiEndpoint.get("showVerification", "/verify-email", {
      query: { token: Schema.optionalKey(Schema.String.annotate({ description: "The token from the mail" })) },
      success: page,
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "showVerificationPage",
        summary: "Show the verification page",
        description: "Shows the page that the link in the mail opens. It asks for the password and changes nothing.",
        response: Examples.page
      })
    ),
    HttpApiEndpoint.post("verify", "/verify-email", {
      payload: [
        Schema.Struct({ email: Email, token: Schema.String, password: Schema.String }),
        Schema.Struct({ email: Email, token: Schema.String, password: Schema.String }).pipe(
          HttpApiSchema.asFormUrlEncoded()
        )
      ],
      success: [Schema.Struct({ status: Schema.Literal(true) }), page],
      error: refuses(...body, "request_timeout", "unauthorized", "validation_failed")
    }).annotateMerge(
      operation({
        id: "verifyEmail",
        summary: "Verify an e-mail address",
        description:
          "Takes the token of the mail together with the account's password, so that following a link is not enough. Failed attempts delay the next ones, as at sign-in. Browsers that accept HTML get pages.",
        request: new ByMediaType({
          "application/json": Examples.verification,
          "application/x-www-form-urlencoded": Examples.verification
        }),
        response: new ByMediaType({ "application/json": { status: true }, "text/html": Examples.page }),
        errorPages: true
      })
    )
  )
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/auth")
  .annotateMerge(OpenApi.annotations({ title: "Accounts", description: "Signing up, signing in and sessions." })) {}
