/** Endpoints of accounts and sessions. */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { Locale } from "@kanmon/domain/Locale"
import { TimeZone } from "@kanmon/domain/TimeZone"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Account, Email, SecondFactorNeeded, Session, SignInMethods } from "./AccountBody.ts"
import { AddressLimits, Problems } from "./Middleware.ts"
import { Impersonation } from "./OperatorBody.ts"
import { refuses } from "./Problem.ts"
import { Counted } from "./Serving.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { ByMediaType, operation } from "./internal/Operation.ts"
import { impersonation } from "./internal/OperatorExamples.ts"

const rememberMe = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "When false, the session ends when the browser is closed. Default: true." })
)

const page = Schema.String.annotate({ description: "The page" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)

/** Earlier releases had the session's token in answers; only the cookie carries it. */
const noToken = Schema.Null.annotate({ description: "Always null: only the cookie carries the session" })

const cookie = { "Set-Cookie": "The session" }

const impersonationLink = Schema.Struct({ token: boundedText(4096) })
const redirected = HttpApiSchema.Empty(303)

const done = Schema.Struct({ status: Schema.Literal(true) })

const confirmation = Schema.Struct({ token: boundedText(4096), password: Schema.optionalKey(boundedText(1024)) })

/** Errors of a request body before the plugin reads it. */
const body = ["malformed_request", "forbidden", "payload_too_large", "unsupported_media_type"] as const

export class AccountsApi extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.get("methods", "/methods", { success: SignInMethods }).annotateMerge(
      operation({
        id: "listSignInMethods",
        summary: "List ways to sign in",
        description: "Returns which ways to sign in this installation offers, for the page on which people do.",
        response: {
          password: true,
          passkeys: true,
          signUp: "open",
          singleSignOn: { label: "Sign in at work" },
          organizationSignOn: true,
          mail: true,
          firstAccount: null
        }
      })
    ),
    HttpApiEndpoint.post("signUp", "/sign-up/email", {
      payload: Schema.Struct({
        name: filledText(200),
        email: Email,
        password: filledText(128, { minimum: 8 }),
        rememberMe,
        invitation: Schema.optionalKey(
          boundedText(100).annotate({
            description:
              "The token of an invitation to this address: the account becomes a member of that organization, and the address is verified. Also where sign-up is closed"
          })
        ),
        setupCode: Schema.optionalKey(
          boundedText(100).annotate({
            description:
              "The setup code that the server prints while there is no account: the first account becomes the administrator of the installation. Ignored once there is an account"
          })
        )
      }),
      success: Schema.Struct({ token: noToken, user: Account }),
      error: refuses(...body, "request_timeout", "conflict", "sso_required", "validation_failed")
    })
      .annotate(Counted, { as: "passwords" })
      .annotateMerge(
        operation({
          id: "signUp",
          summary: "Sign up",
          description:
            'Creates an account with an organization of its own and a first project, "Default", and starts a session. A link that verifies the address is sent, or printed on the console of the server where the operator has set up no mail. 403 when sign-up is closed.',
          request: { name: Examples.user.name, email: Examples.user.email, password: Examples.password },
          response: { token: null, user: Examples.user },
          headers: cookie
        })
      ),
    HttpApiEndpoint.post("signIn", "/sign-in/email", {
      payload: Schema.Struct({
        email: Email,
        password: boundedText(1024),
        rememberMe,
        bypassSso: Schema.optionalKey(
          Schema.Boolean.annotate({
            description:
              "Whether an owner with a second factor signs in although the organization requires single sign-on, for example while its identity provider is down. It is recorded. Default: false."
          })
        )
      }),
      success: Schema.Union([
        Schema.Struct({ redirect: Schema.Literal(false), token: noToken, user: Account }),
        SecondFactorNeeded
      ]),
      error: refuses(...body, "request_timeout", "unauthorized", "sso_required", "validation_failed")
    })
      .annotate(Counted, { as: "passwords", delays: true })
      .annotateMerge(
        operation({
          id: "signIn",
          summary: "Sign in",
          description:
            "Starts a session and sets its cookie. If the account has two-factor authentication, the answer is `twoFactorRedirect` instead, and the session starts with `POST /auth/two-factor/verify-totp` or `/verify-backup-code` within ten minutes. After five failed attempts on an account further ones are delayed: 429 with `Retry-After`.",
          request: { email: Examples.user.email, password: Examples.password },
          response: { redirect: false, token: null, user: Examples.user },
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
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
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
      query: { token: Schema.optionalKey(boundedText(4096).annotate({ description: "The token from the mail" })) },
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
        Schema.Struct({ email: Email, token: boundedText(4096), password: boundedText(1024) }),
        Schema.Struct({ email: Email, token: boundedText(4096), password: boundedText(1024) }).pipe(
          HttpApiSchema.asFormUrlEncoded()
        )
      ],
      success: [Schema.Struct({ status: Schema.Literal(true) }), page],
      error: refuses(...body, "request_timeout", "unauthorized", "validation_failed")
    })
      .annotate(Counted, { as: "passwords", delays: true })
      .annotateMerge(
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
      ),
    HttpApiEndpoint.get("showImpersonation", "/impersonation", {
      query: { token: Schema.optionalKey(boundedText(4096).annotate({ description: "The token of the link" })) },
      success: page,
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "showImpersonationPage",
        summary: "Show the impersonation page",
        description: "Shows the page that a link of `kanmon account impersonate` opens. It changes nothing.",
        response: Examples.page
      })
    ),
    HttpApiEndpoint.post("beginImpersonation", "/impersonation", {
      payload: [impersonationLink, impersonationLink.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: [Impersonation, redirected],
      error: refuses(...body, "request_timeout", "validation_failed")
    }).annotateMerge(
      operation({
        id: "beginImpersonation",
        summary: "Start impersonating by link",
        description:
          "Takes the token of a link that the operator made with `kanmon account impersonate`: once, within a minute, while the administrator named there may act as the account. The session is like that of `POST /installation/accounts/{userId}/impersonate`. Browsers that accept HTML are led to the dashboard.",
        request: new ByMediaType({
          "application/json": { token: Examples.linkToken },
          "application/x-www-form-urlencoded": { token: Examples.linkToken }
        }),
        response: impersonation,
        headers: { "Set-Cookie": "The session of the account" },
        errorPages: true
      })
    ),
    HttpApiEndpoint.post("update", "/update-user", {
      payload: Schema.Struct({
        name: Schema.optionalKey(filledText(200)),
        locale: Schema.optionalKey(
          Schema.NullOr(Locale).annotate({
            description: "Language of messages to the person; null: as the browser asks"
          })
        ),
        timezone: Schema.optionalKey(
          Schema.NullOr(TimeZone).annotate({ description: "IANA time zone of the mail; null: none is chosen" })
        )
      }),
      success: done,
      error: refuses(...body, "unauthorized", "validation_failed")
    }).annotateMerge(
      operation({
        id: "updateAccount",
        summary: "Update the account",
        description:
          "Changes the name of the signed-in account, and the language and the time zone of messages to the person: the fields that are sent.",
        audience: "account",
        request: { name: "Ada Lovelace", locale: "de" },
        response: { status: true },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("changeEmail", "/change-email", {
      payload: Schema.Struct({ newEmail: Email, password: Schema.optionalKey(boundedText(1024)) }),
      success: done,
      error: refuses(...body, "unauthorized", "proof_required", "sso_required", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "changeEmail",
          summary: "Update the e-mail address",
          description:
            "Sends a link to the new address, which takes effect when it is confirmed there, and a notice to the present one. `password` can be left out within ten minutes after signing in or `POST /auth/prove`. Whether the new address has an account already is not told. 403 `sso_required` where single sign-on is enforced for the present address and not for the new one.",
          audience: "account",
          request: { newEmail: "ada@example.com", password: Examples.password },
          response: { status: true }
        })
      ),
    HttpApiEndpoint.get("showEmailConfirmation", "/confirm-email", {
      query: { token: Schema.optionalKey(boundedText(4096).annotate({ description: "The token from the mail" })) },
      success: page,
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "showEmailConfirmationPage",
        summary: "Show the confirmation page",
        description: "Shows the page that the link to a new address opens. It changes nothing.",
        response: Examples.page
      })
    ),
    HttpApiEndpoint.post("confirmEmail", "/confirm-email", {
      payload: [confirmation, confirmation.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: [done, page],
      error: refuses(...body, "request_timeout", "unauthorized", "conflict", "sso_required", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "confirmEmail",
          summary: "Confirm a new address",
          description:
            "Gives the account its new address. The request needs the token of the mail and either the account's session or its password, so following a link confirms nothing. The token works once, for a day.",
          request: new ByMediaType({
            "application/json": { token: Examples.linkToken, password: Examples.password },
            "application/x-www-form-urlencoded": { token: Examples.linkToken, password: Examples.password }
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
