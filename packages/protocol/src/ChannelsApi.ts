/** The notification channels of a project. */
import { boundedText, patternText } from "@kanmon/domain/BoundedText"
import { ChannelId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import * as ChannelBody from "./ChannelBody.ts"
import { Comparison, Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Authorization, Idempotency, JsonBody, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** The provider's response to a test notification. */
export const TestResult = Schema.Struct({ delivered: Schema.Literal(true), detail: Schema.String, at: Timestamp })

const recipient = Schema.optionalKey(
  boundedText(254).annotate({ description: "The address or number of one of the channel's recipients" })
)

/** The code that the recipient got. `recipient` is needed where several have not confirmed. */
export const ConfirmationCode = Schema.Struct({
  code: patternText(6, /^\d{6}$/, "Expected the six digits that the recipient got"),
  recipient
})

/** The recipients of a new code: this one, or all that have not confirmed. */
export const CodeRequest = Schema.Struct({ recipient })

const params = { channelId: ChannelId }
const change = Body.sent<ChannelBody.ChannelUpdate>("NotificationChannelChange")

export class ChannelsApi extends HttpApiGroup.make("notificationChannels")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(ChannelBody.ChannelRecord),
      error: refuses("malformed_request")
    }).annotateMerge(
      operation({
        id: "listNotificationChannels",
        access: "channels.read",
        summary: "List notification channels",
        description:
          "Lists the notification channels of the project, newest first. Secrets are masked: four dots and the last four characters.",
        response: [Examples.channel]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<ChannelBody.ChannelRequest>("NotificationChannelRequest"),
      success: ChannelBody.ChannelRecord.pipe(HttpApiSchema.status(201)),
      error: refuses("plan_limit_reached", "account_limit_reached", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "createNotificationChannel",
          access: "channels.write",
          summary: "Create a notification channel",
          description:
            "Creates a channel. The fields of `config` depend on `type`. Where recipients must confirm, a new email, SMS or phone channel is sent a confirmation code and nothing else until the code is entered.",
          request: Examples.channelRequest,
          response: { ...Examples.channel, lastDelivery: null }
        })
      ),
    HttpApiEndpoint.get("get", "/:channelId", {
      params,
      success: ChannelBody.ChannelRecord,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getNotificationChannel",
        access: "channels.read",
        summary: "Get a notification channel",
        description:
          "Returns one channel with its last delivery. Secrets are masked: four dots and the last four characters.",
        response: Examples.channel
      })
    ),
    HttpApiEndpoint.patch("update", "/:channelId", {
      params,
      payload: change,
      success: ChannelBody.ChannelRecord,
      error: refuses("plan_limit_reached", "not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "updateNotificationChannel",
          access: "channels.write",
          summary: "Update a notification channel",
          description:
            "Changes the fields that are sent. A masked secret keeps its stored value. When the type or the destination's scheme, host or port changes, secrets must be sent again: 422 names each of them. Changing the configuration enables a disabled channel again.",
          request: { name: "On call" },
          response: { ...Examples.channel, name: "On call" }
        })
      ),
    HttpApiEndpoint.delete("remove", "/:channelId", {
      params,
      success: Deleted,
      error: refuses("not_found", "conflict")
    }).annotateMerge(
      operation({
        id: "deleteNotificationChannel",
        access: "channels.write",
        summary: "Delete a notification channel",
        description:
          "Deletes the channel and the notifications that are still waiting to be sent through it. 409 `conflict` while an escalation policy names it: `detail` says which.",
        response: Examples.deleted(Examples.channel.id)
      })
    ),
    HttpApiEndpoint.post("compare", "/:channelId/compare", {
      params,
      payload: change,
      success: Comparison,
      error: refuses("not_found", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "compareNotificationChannel",
          access: "channels.read",
          summary: "Compare a notification channel",
          description:
            "Takes the body of an update and returns which fields it would change, secrets included. Nothing is changed. What the caller's role reads masked is not compared: `hidden` names these fields.",
          request: { name: "On call", config: { method: "PUT" } },
          response: { differing: ["name", "config.method"] }
        })
      ),
    HttpApiEndpoint.post("test", "/:channelId/test", {
      params,
      success: TestResult,
      error: refuses("not_found", "conflict", "rate_limited", "delivery_failed")
    })
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "testNotificationChannel",
          access: "channels.write",
          summary: "Test a notification channel",
          description:
            "Sends a test notification and returns the provider's answer. On paging services the alert of the test is closed again. 502 `delivery_failed` when the provider refuses it; 429 `rate_limited` after too many tests.",
          response: { delivered: true, detail: "HTTP 204", at: "2026-11-20T09:15:00.000Z" }
        })
      ),
    HttpApiEndpoint.post("sendConfirmation", "/:channelId/confirmation", {
      params,
      payload: Body.optional<typeof CodeRequest.Encoded>("ConfirmationCodeRequest"),
      success: ChannelBody.ChannelRecord,
      error: refuses("not_found", "conflict", "validation_failed", "rate_limited", "delivery_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "sendConfirmationCode",
          access: "channels.write",
          summary: "Send a confirmation code",
          description:
            "Sends a new code to `recipient`, in the place of the one before; without a body, to every recipient of the channel that has not confirmed. A recipient gets at most three an hour and six a day. 409 `conflict` when the recipient needs no confirmation.",
          request: { recipient: "ada@example.org" },
          response: Examples.emailChannel,
          optionalBody: true
        })
      ),
    HttpApiEndpoint.post("confirm", "/:channelId/confirm", {
      params,
      payload: Body.sent<typeof ConfirmationCode.Encoded>("ConfirmationRequest"),
      success: ChannelBody.ChannelRecord,
      error: refuses("not_found", "conflict", "validation_failed")
    })
      .middleware(JsonBody)
      .middleware(Idempotency)
      .annotateMerge(
        operation({
          id: "confirmRecipient",
          access: "channels.write",
          summary: "Confirm the recipient",
          description:
            "Enters the code that the recipient got. A code is valid for 24 hours and for five tries. `recipient` says who got it, and may be left out when one recipient is left. The recipient then counts as confirmed for all channels of the organization.",
          request: { code: "482915", recipient: "ada@example.org" },
          response: Examples.confirmedChannel
        })
      )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/notification-channels")
  .annotateMerge(
    OpenApi.annotations({
      title: "Notification channels",
      description: "Destinations of notifications, such as email, chat, paging services and webhooks."
    })
  ) {}
