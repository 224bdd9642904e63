/** Endpoints of passwords and second factors. */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account, Email } from "./AccountBody.ts"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted } from "./Serving.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { operation } from "./internal/Operation.ts"

const newPassword = filledText(128, { minimum: 8 })
const code = filledText(64).annotate({
  description: "Spaces and hyphens do not count"
})
const trustDevice = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "Whether this browser needs no code for 30 days. Default: false" })
)
const withPassword = Schema.Struct({ password: boundedText(1024) })
const done = Schema.Struct({ status: Schema.Literal(true) })
const signedIn = Schema.Struct({ token: Schema.Null, user: Account })

/** Errors of a request body before the plugin reads it. */
const body = ["malformed_request", "forbidden", "payload_too_large", "unsupported_media_type"] as const
/** Problems of endpoints that require the account's password. */
const proving = [...body, "request_timeout", "unauthorized", "conflict", "validation_failed"] as const
const cookie = { "Set-Cookie": "The session" }

export class AccountSecurityApi extends HttpApiGroup.make("accountSecurity")
  .add(
    HttpApiEndpoint.post("requestPasswordReset", "/request-password-reset", {
      payload: Schema.Struct({ email: Email }),
      success: done,
      error: refuses(...body, "validation_failed")
    }).annotateMerge(
      operation({
        id: "requestPasswordReset",
        summary: "Send a password reset link",
        description:
          "Sends a link that replaces a forgotten password, if the address has an account with one. The answer is the same, and as fast, if it has none. The link works once, for an hour; where the operator has set up no mail, it is printed on the console of the server.",
        request: { email: Examples.user.email },
        response: { status: true }
      })
    ),
    HttpApiEndpoint.post("resetPassword", "/reset-password", {
      payload: Schema.Struct({ token: boundedText(4096), newPassword }),
      success: done,
      error: refuses(...body, "request_timeout", "validation_failed")
    }).annotateMerge(
      operation({
        id: "resetPassword",
        summary: "Update a forgotten password",
        description:
          "Replaces the password with the token of the mail, and ends all sessions of the account. Signing in needs a second factor all the same, if the account has one.",
        request: { token: Examples.linkToken, newPassword: Examples.password },
        response: { status: true }
      })
    ),
    HttpApiEndpoint.post("changePassword", "/change-password", {
      payload: Schema.Struct({
        currentPassword: boundedText(1024),
        newPassword,
        revokeOtherSessions: Schema.optionalKey(
          Schema.Boolean.annotate({ description: "Whether the account's other sessions end. Default: true" })
        )
      }),
      success: signedIn,
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "changePassword",
        summary: "Update the password",
        description:
          "Changes the password of the signed-in account, ends its other sessions and gives this one a new cookie. Wrong passwords are counted as at sign-in.",
        audience: "account",
        request: { currentPassword: "a password of before", newPassword: Examples.password },
        response: { token: null, user: Examples.user },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("prove", "/prove", {
      payload: withPassword,
      success: done,
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "proveAccount",
        summary: "Verify the password",
        description:
          "Takes the password of the signed-in account, so that the session may do for ten minutes what gives lasting access and is refused with 403 `proof_required` otherwise. A sign-in does the same. Wrong passwords are counted as at sign-in; 409 when the account has no password.",
        audience: "account",
        request: { password: Examples.password },
        response: { status: true }
      })
    ),
    HttpApiEndpoint.post("enableSecondFactor", "/two-factor/enable", {
      payload: withPassword,
      success: Schema.Struct({
        method: Schema.Literal("totp"),
        totpURI: Schema.String.annotate({ description: "For the QR code that an authenticator app reads" }),
        backupCodes: Schema.Array(Schema.String).annotate({ description: "Each signs in once, without the app" })
      }),
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "enableSecondFactor",
        summary: "Start two-factor authentication",
        description:
          "Makes the secret of an authenticator app and ten backup codes, which are shown once. Nothing changes until a code of the app is sent to `POST /auth/two-factor/verify-totp`.",
        audience: "account",
        request: { password: Examples.password },
        response: { method: "totp", totpURI: Examples.totpUri, backupCodes: Examples.backupCodes }
      })
    ),
    HttpApiEndpoint.post("showSecondFactor", "/two-factor/get-totp-uri", {
      payload: withPassword,
      success: Schema.Struct({ totpURI: Schema.String }),
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "getSecondFactorUri",
        summary: "Show the authenticator's secret",
        description: "Returns the secret again, for another authenticator app of the same person.",
        audience: "account",
        request: { password: Examples.password },
        response: { totpURI: Examples.totpUri }
      })
    ),
    HttpApiEndpoint.post("verifySecondFactor", "/two-factor/verify-totp", {
      payload: Schema.Struct({ code, trustDevice }),
      success: signedIn,
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "verifySecondFactor",
        summary: "Verify an authenticator's code",
        description:
          "After a password it signs in: 401 for a wrong code. With a session it confirms the app that was set up, and from then on signing in needs a code: 422 for a wrong one. Wrong codes delay the next ones of the account, from all networks together, and a code is accepted once.",
        audience: "account",
        anonymous: true,
        request: { code: "482915" },
        response: { token: null, user: Examples.user },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("verifyBackupCode", "/two-factor/verify-backup-code", {
      payload: Schema.Struct({ code, trustDevice }),
      success: signedIn,
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "verifyBackupCode",
        summary: "Verify a backup code",
        description:
          "The second part of a sign-in when the app is lost. The code is used up, and its owner is told by mail. Wrong codes are counted together with those of the app.",
        request: { code: Examples.backupCodes[0]! },
        response: { token: null, user: Examples.user },
        headers: cookie
      })
    ),
    HttpApiEndpoint.post("renewBackupCodes", "/two-factor/generate-backup-codes", {
      payload: withPassword,
      success: Schema.Struct({ status: Schema.Literal(true), backupCodes: Schema.Array(Schema.String) }),
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "renewBackupCodes",
        summary: "Create new backup codes",
        description: "Replaces the backup codes by ten new ones, which are shown once. The old ones stop working.",
        audience: "account",
        request: { password: Examples.password },
        response: { status: true, backupCodes: Examples.backupCodes }
      })
    ),
    HttpApiEndpoint.post("disableSecondFactor", "/two-factor/disable", {
      payload: withPassword,
      success: done,
      error: refuses(...proving)
    }).annotateMerge(
      operation({
        id: "disableSecondFactor",
        summary: "Delete the second factor",
        description: "Deletes the secret and the backup codes: the password alone signs in again.",
        audience: "account",
        request: { password: Examples.password },
        response: { status: true },
        headers: cookie
      })
    )
  )
  .annotateEndpoints(Counted, { as: "attempts" })
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/auth")
  .annotateMerge(
    OpenApi.annotations({
      title: "Account security",
      description: "Forgotten and new passwords, and two-factor authentication."
    })
  ) {}
