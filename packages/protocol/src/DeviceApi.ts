/** Signing in from programs (RFC 8628): a person approves in the browser what the program asked for. */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted, Declared } from "./Serving.ts"
import * as Examples from "./internal/AccountExamples.ts"
import { ByMediaType, operation } from "./internal/Operation.ts"

/** The grant type of OAuth for device codes. */
export const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

const DeviceCodeRequest = Schema.Struct({
  client_id: filledText(64).annotate({
    description: "Names the program, such as `kanmon-cli`; programs need not be registered"
  }),
  device_name: Schema.optionalKey(
    filledText(100).annotate({
      description: "Name of the session in the list of sessions, such as the name of the computer"
    })
  ),
  scope: Schema.optionalKey(
    boundedText(4096).annotate({ description: "Ignored: the token may do what the account may do" })
  )
})

/** The codes of a request to sign in. */
export const DeviceCode = Schema.Struct({
  device_code: Schema.String.annotate({ description: "The secret that the program exchanges for its token" }),
  user_code: Schema.String.annotate({ description: "The code that the person enters or compares" }),
  verification_uri: Schema.String.annotate({ format: "uri", description: "Where the person enters the code" }),
  verification_uri_complete: Schema.String.annotate({ format: "uri", description: "The same with the code in it" }),
  expires_in: Schema.Int.annotate({ description: "For how long the codes are valid, in seconds" }),
  interval: Schema.Int.annotate({ description: "How long to wait between questions, in seconds" })
})

const DeviceTokenRequest = Schema.Struct({
  grant_type: Schema.Literal(deviceGrantType),
  client_id: filledText(64),
  device_code: filledText(100)
})

/** The token of a program. */
export const DeviceToken = Schema.Struct({
  access_token: Schema.String.annotate({ description: "Send it as `Authorization: Bearer …`" }),
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Int.annotate({ description: "For how long the token is valid, in seconds" })
})

/** A request to sign in, for the person who decides on it. */
const DeviceRequest = Schema.Struct({
  userCode: Schema.String,
  clientId: Schema.String,
  name: Schema.NullOr(Schema.String).annotate({
    description: "Name of the device, as the program reports it; unverified"
  }),
  ipAddress: Schema.NullOr(Schema.String).annotate({ description: "From where it was asked for" }),
  userAgent: Schema.NullOr(Schema.String).annotate({ description: "Name of the program, as it reports it" }),
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotate({ identifier: "DeviceRequest" })

const UserCode = Schema.Struct({
  userCode: filledText(40).annotate({
    description: "The code, in any case, with or without the dash"
  })
})

const body = ["malformed_request", "forbidden", "request_timeout", "payload_too_large"] as const
const answered = refuses(...body, "unsupported_media_type", "validation_failed", "unauthorized", "not_found")

export class DeviceApi extends HttpApiGroup.make("device")
  .add(
    HttpApiEndpoint.post("code", "/code", {
      payload: [DeviceCodeRequest, DeviceCodeRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: DeviceCode,
      error: refuses(...body, "unsupported_media_type", "validation_failed")
    })
      .annotate(Counted, { as: "codes", apart: "device/code" })
      .annotateMerge(
        operation({
          id: "startDeviceAuthorization",
          summary: "Start device authorization",
          description:
            "Begins to sign in a program such as `kanmon login` (RFC 8628). It shows the person `user_code` and `verification_uri`, and asks `POST /auth/device/token` until they have approved. The codes are valid for ten minutes.",
          request: new ByMediaType({
            "application/json": Examples.deviceCodeRequest,
            "application/x-www-form-urlencoded": Examples.deviceCodeRequest
          }),
          response: Examples.deviceCode
        })
      ),
    HttpApiEndpoint.post("token", "/token", {
      payload: [DeviceTokenRequest, DeviceTokenRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: DeviceToken,
      error: refuses(
        ...body,
        "unsupported_media_type",
        "validation_failed",
        "authorization_pending",
        "slow_down",
        "access_denied",
        "expired_token",
        "invalid_grant"
      )
    }).annotateMerge(
      operation({
        id: "getDeviceToken",
        summary: "Get a device token",
        description:
          "Answers 400 `authorization_pending` until the person has approved, and `slow_down` to a program that asks more often than it may. Then it returns the token of a session for 90 days, once. The session is listed in `GET /account/sessions` and can be ended there.",
        request: new ByMediaType({
          "application/json": Examples.deviceTokenRequest,
          "application/x-www-form-urlencoded": Examples.deviceTokenRequest
        }),
        response: Examples.deviceToken
      })
    ),
    HttpApiEndpoint.get("show", "/", {
      query: { user_code: boundedText(100).annotate({ description: "The code that the program shows" }) },
      success: DeviceRequest,
      error: refuses("forbidden", "unauthorized", "not_found")
    })
      .annotate(Counted, { as: "codes", apart: "device" })
      .annotateMerge(
        operation({
          id: "getDeviceRequest",
          summary: "Get a device request",
          description:
            "Shows who asks to be signed in and from where, before the person decides. Changes nothing. 404 when the code is unknown, was answered, or has expired; attempts are limited like those to sign in.",
          audience: "account",
          parameters: { user_code: Examples.deviceCode.user_code },
          response: Examples.deviceRequest
        })
      ),
    HttpApiEndpoint.post("approve", "/approve", {
      payload: UserCode,
      success: Schema.Struct({ status: Schema.Literal("approved") }),
      error: [...answered, ...refuses("proof_required")]
    })
      .annotate(Counted, { as: "codes", apart: "device/approve" })
      .annotateMerge(
        operation({
          id: "approveDeviceRequest",
          summary: "Approve a device request",
          description:
            "Lets the program sign in as the account of the session. 403 `proof_required` unless the person signed in, or gave the password again, within the last ten minutes. It needs the session of a browser: a program cannot approve another one, nor can an administrator who acts as the account.",
          audience: "account",
          request: { userCode: Examples.deviceCode.user_code },
          response: { status: "approved" }
        })
      ),
    HttpApiEndpoint.post("deny", "/deny", {
      payload: UserCode,
      success: Schema.Struct({ status: Schema.Literal("denied") }),
      error: answered
    })
      .annotate(Counted, { as: "codes", apart: "device/deny" })
      .annotateMerge(
        operation({
          id: "denyDeviceRequest",
          summary: "Deny a device request",
          description: "Refuses the program, which is told `access_denied`.",
          audience: "account",
          request: { userCode: Examples.deviceCode.user_code },
          response: { status: "denied" }
        })
      )
  )
  // These forms are parsed before any other bound is looked at.
  .annotateEndpoints(Declared, { bodyLimit: 64 * 1024 })
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/auth/device")
  .annotateMerge(OpenApi.annotations({ title: "Devices", description: "Signing in from programs (RFC 8628)." })) {}
