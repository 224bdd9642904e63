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
    }).annotate(OpenApi.Summary, "The channels of the project, newest first"),
    HttpApiEndpoint.post("create", "/", {
      payload: Body.sent<ChannelBody.ChannelRequest>(),
      success: ChannelRecord.pipe(HttpApiSchema.status(201)),
      error: Problem
    }).annotate(OpenApi.Summary, "Creates a channel"),
    HttpApiEndpoint.get("get", "/:channelId", { params, success: ChannelRecord, error: Problem }).annotate(
      OpenApi.Summary,
      "One channel"
    ),
    HttpApiEndpoint.patch("update", "/:channelId", {
      params,
      payload: Body.sent<ChannelBody.ChannelUpdate>(),
      success: ChannelRecord,
      error: Problem
    })
      .annotate(OpenApi.Summary, "Changes a channel; secrets that come back as they were shown stay as they are")
      .annotate(
        OpenApi.Description,
        "A masked secret keeps its stored value. When the type or the destination's scheme, host or port changes, secrets have to be sent again: 422 names each of them."
      ),
    HttpApiEndpoint.delete("remove", "/:channelId", { params, success: Deleted, error: Problem }).annotate(
      OpenApi.Summary,
      "Deletes a channel and what still waited for it"
    ),
    HttpApiEndpoint.post("compare", "/:channelId/compare", {
      params,
      payload: Body.sent<ChannelBody.ChannelUpdate>(),
      success: Comparison,
      error: Problem
    }).annotate(OpenApi.Summary, "Says which fields a change would change, secrets too, and changes nothing"),
    HttpApiEndpoint.post("test", "/:channelId/test", { params, success: TestResult, error: Problem }).annotate(
      OpenApi.Summary,
      "Sends a test notification and tells what the provider said"
    ),
    HttpApiEndpoint.post("sendConfirmation", "/:channelId/confirmation", {
      params,
      success: ChannelRecord,
      error: Problem
    })
      .annotate(OpenApi.Summary, "Send a confirmation code")
      .annotate(
        OpenApi.Description,
        "Sends a new code to the channel's recipient, in the place of the one before. A recipient gets at most three an hour and six a day. 409 `conflict` when the recipient needs no confirmation."
      ),
    HttpApiEndpoint.post("confirm", "/:channelId/confirm", {
      params,
      payload: Body.sent<typeof ConfirmationCode.Encoded>(),
      success: ChannelRecord,
      error: Problem
    })
      .annotate(OpenApi.Summary, "Confirm the recipient")
      .annotate(
        OpenApi.Description,
        "Enters the code that the recipient got. A code is valid for 24 hours and for five tries. The recipient then counts as confirmed for all channels of the account."
      )
  )
  .middleware(Gate)
  .prefix("/notification-channels")
  .annotateMerge(OpenApi.annotations({ title: "Notification channels" })) {}
