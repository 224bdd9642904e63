/** Endpoints of passkeys (WebAuthn). */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account, Passkey } from "./AccountBody.ts"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted } from "./Serving.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { operation } from "./internal/Operation.ts"

const json = (description: string) => Schema.Record(Schema.String, Schema.Json).annotate({ description })

const name = filledText(200)

/** Errors of a request body before the plugin reads it. */
const body = ["malformed_request", "forbidden", "payload_too_large", "unsupported_media_type"] as const
const challenge = { "Set-Cookie": "The challenge, for five minutes" }

export class PasskeysApi extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.get("list", "/list-user-passkeys", {
      success: Schema.Array(Passkey),
      error: refuses("forbidden", "unauthorized")
    }).annotateMerge(
      operation({
        id: "listPasskeys",
        summary: "List passkeys",
        description: "Lists the passkeys of the signed-in account, newest first.",
        audience: "account",
        response: [Examples.passkey]
      })
    ),
    HttpApiEndpoint.get("registrationOptions", "/generate-register-options", {
      success: json("Options for `navigator.credentials.create`, as JSON (WebAuthn, section 5.1.9)"),
      error: refuses("forbidden", "unauthorized", "proof_required", "conflict")
    }).annotateMerge(
      operation({
        id: "startPasskeyRegistration",
        summary: "Start adding a passkey",
        description:
          "Returns what a browser needs to make a passkey for the signed-in account. 403 `proof_required` unless the person signed in, or gave the password again, within the last ten minutes. The device has to verify the person, with a PIN, a fingerprint or a face.",
        audience: "account",
        response: Examples.registrationOptions,
        headers: challenge
      })
    ),
    HttpApiEndpoint.post("register", "/verify-registration", {
      payload: Schema.Struct({
        name: Schema.optionalKey(name),
        response: json("The result of `navigator.credentials.create`, as JSON")
      }),
      success: Passkey,
      error: refuses(...body, "unauthorized", "proof_required", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "addPasskey",
          summary: "Create a passkey",
          description: "Verifies a new passkey and adds it to the signed-in account. The account gets a mail about it.",
          audience: "account",
          request: { name: "Firefox on Linux", response: Examples.registration },
          response: Examples.passkey
        })
      ),
    HttpApiEndpoint.get("signInOptions", "/generate-authenticate-options", {
      success: json("Options for `navigator.credentials.get`, as JSON (WebAuthn, section 5.1.10)"),
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "startPasskeySignIn",
        summary: "Start a passkey sign-in",
        description: "Returns what a browser needs to sign in with a passkey. It names no account.",
        response: Examples.signInOptions,
        headers: challenge
      })
    ),
    HttpApiEndpoint.post("signIn", "/verify-authentication", {
      payload: Schema.Struct({ response: json("The result of `navigator.credentials.get`, as JSON") }),
      success: Schema.Struct({ user: Account }),
      error: refuses(...body, "unauthorized", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "signInWithPasskey",
          summary: "Sign in with a passkey",
          description:
            "Verifies the passkey and starts a session. The device has verified the person, so that no further factor is asked for.",
          request: { response: Examples.assertion },
          response: { user: Examples.user },
          headers: { "Set-Cookie": "The session" }
        })
      ),
    HttpApiEndpoint.post("rename", "/update-passkey", {
      payload: Schema.Struct({ id: boundedText(100), name }),
      success: Passkey,
      error: refuses(...body, "unauthorized", "not_found", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "renamePasskey",
          summary: "Rename a passkey",
          description: "Gives a passkey of the signed-in account another name.",
          audience: "account",
          request: { id: Examples.passkey.id, name: "The blue key" },
          response: Examples.passkey
        })
      ),
    HttpApiEndpoint.post("delete", "/delete-passkey", {
      payload: Schema.Struct({ id: boundedText(100) }),
      success: Schema.Struct({ status: Schema.Literal(true) }),
      error: refuses(...body, "unauthorized", "proof_required", "not_found", "validation_failed")
    })
      .annotate(Counted, { as: "attempts" })
      .annotateMerge(
        operation({
          id: "deletePasskey",
          summary: "Delete a passkey",
          description: "Deletes a passkey of the signed-in account: it signs in no more. Sessions that it began go on.",
          audience: "account",
          request: { id: Examples.passkey.id },
          response: { status: true }
        })
      )
  )
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/auth/passkey")
  .annotateMerge(OpenApi.annotations({ title: "Passkeys", description: "Signing in without a password." })) {}
