/** The notification channels of a project. */
import { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { Key } from "@kanmon/domain/Key"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import type * as ChannelBody from "./ChannelBody.ts"
import { Gate } from "./Gate.ts"
import { Deleted, keyQuery, pageQuery } from "./Lists.ts"
import { Problem } from "./Problem.ts"
import * as Examples from "./internal/Examples.ts"
import { operation } from "./internal/Operation.ts"

/** How the newest attempt to deliver went. */
export const LastDelivery = Schema.Struct({
  at: Timestamp,
  status: Schema.Literals(["delivered", "retrying", "failed"]),
  detail: Schema.String
})

export const ChannelRecord = Schema.Struct({
  id: ChannelId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Schema.String,
  type: Schema.String,
  /** Its fields depend on the type; secrets are shown as four dots and their last four characters. */
  config: Schema.JsonObject,
  confirmation: Schema.Literals(["not_needed", "pending", "confirmed"]).annotate({
    description:
      "Whether the recipient agreed to get notifications. `pending`: nothing but a confirmation code is sent until the code is entered"
  }),
  confirmedAt: Schema.NullOr(Timestamp).annotate({ description: "When the recipient confirmed; null when it did not" }),
  /** Why nothing is sent there any more; null while it works. Changing the configuration switches it on again. */
  disabledReason: Schema.NullOr(Schema.String),
  lastDelivery: Schema.NullOr(LastDelivery),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "NotificationChannel" })
export type ChannelRecord = typeof ChannelRecord.Type

/** What the provider said to a test notification. */
export const TestResult = Schema.Struct({ delivered: Schema.Literal(true), detail: Schema.String, at: Timestamp })

/** What a change would change: paths such as `name` and `config.botToken`. */
export const Comparison = Schema.Struct({ differing: Schema.Array(Schema.String) })

/** The code that the recipient got. */
export const ConfirmationCode = Schema.Struct({
  code: Schema.String.check(Schema.isPattern(/^\d{6}$/, { message: "Expected the six digits that the recipient got" }))
})

const params = { channelId: ChannelId }

export class ChannelsApi extends HttpApiGroup.make("channels")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...pageQuery, ...keyQuery },
      success: Schema.Array(ChannelRecord),
      error: Problem
    }).annotateMerge(
      operation({
        id: "listNotificationChannels",
        summary: "List notification channels",
        description:
          "Lists the notification channels of the project, newest first. Secrets are masked: four dots and the last four characters.",
        response: [Examples.channel]
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<ChannelBody.ChannelRequest>(),
      success: ChannelRecord.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotateMerge(
      operation({
        id: "createNotificationChannel",
        summary: "Create a notification channel",
        description:
          "Creates a channel. The fields of `config` depend on `type`. Where recipients must confirm, a new email, SMS or phone channel is sent a confirmation code and nothing else until the code is entered.",
        request: Examples.channelRequest,
        response: { ...Examples.channel, lastDelivery: null }
      })
    ),
    HttpApiEndpoint.get("get", "/:channelId", { params, success: ChannelRecord, error: Problem }).annotateMerge(
      operation({
        id: "getNotificationChannel",
        summary: "Get a notification channel",
        description:
          "Returns one channel with its last delivery. Secrets are masked: four dots and the last four characters.",
        response: Examples.channel
      })
    ),
    HttpApiEndpoint.patch("update", "/:channelId", {
      params,
      payload: Body.sent<ChannelBody.ChannelUpdate>(),
      success: ChannelRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "updateNotificationChannel",
        summary: "Update a notification channel",
        description:
          "Changes the fields that are sent. A masked secret keeps its stored value. When the type or the destination's scheme, host or port changes, secrets must be sent again: 422 names each of them. Changing the configuration enables a disabled channel again.",
        request: { name: "On call" },
        response: { ...Examples.channel, name: "On call" }
      })
    ),
    HttpApiEndpoint.delete("remove", "/:channelId", { params, success: Deleted, error: Problem }).annotateMerge(
      operation({
        id: "deleteNotificationChannel",
        summary: "Delete a notification channel",
        description: "Deletes the channel and the notifications that are still waiting to be sent through it.",
        response: Examples.deleted(Examples.channel.id)
      })
    ),
    HttpApiEndpoint.post("compare", "/:channelId/compare", {
      params,
      payload: Body.sent<ChannelBody.ChannelUpdate>(),
      success: Comparison,
      error: Problem
    }).annotateMerge(
      operation({
        id: "compareNotificationChannel",
        summary: "Compare a notification channel",
        description:
          "Takes the body of an update and returns which fields it would change, secrets included. Nothing is changed.",
        request: { name: "On call", config: { method: "PUT" } },
        response: { differing: ["name", "config.method"] }
      })
    ),
    HttpApiEndpoint.post("test", "/:channelId/test", { params, success: TestResult, error: Problem }).annotateMerge(
      operation({
        id: "testNotificationChannel",
        summary: "Test a notification channel",
        description:
          "Sends a test notification and returns the provider's answer. On paging services the alert of the test is closed again. 502 `delivery_failed` when the provider refuses it; 429 `rate_limited` after too many tests.",
        response: { delivered: true, detail: "HTTP 204", at: "2026-11-20T09:15:00.000Z" }
      })
    ),
    HttpApiEndpoint.post("sendConfirmation", "/:channelId/confirmation", {
      params,
      success: ChannelRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "sendConfirmationCode",
        summary: "Send a confirmation code",
        description:
          "Sends a new code to the channel's recipient, in the place of the one before. A recipient gets at most three an hour and six a day. 409 `conflict` when the recipient needs no confirmation.",
        response: Examples.emailChannel
      })
    ),
    HttpApiEndpoint.post("confirm", "/:channelId/confirm", {
      params,
      payload: Body.sent<typeof ConfirmationCode.Encoded>(),
      success: ChannelRecord,
      error: Problem
    }).annotateMerge(
      operation({
        id: "confirmRecipient",
        summary: "Confirm the recipient",
        description:
          "Enters the code that the recipient got. A code is valid for 24 hours and for five tries. The recipient then counts as confirmed for all channels of the account.",
        request: { code: "482915" },
        response: { ...Examples.emailChannel, confirmation: "confirmed", confirmedAt: "2026-11-20T09:15:00.000Z" }
      })
    )
  )
  .middleware(Gate)
  .prefix("/notification-channels")
  .annotateMerge(
    OpenApi.annotations({
      title: "Notification channels",
      description: "Destinations of notifications, such as email, chat, paging services and webhooks."
    })
  ) {}
