/** The page that the link in a confirmation mail opens. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted } from "./Serving.ts"
import { ConfirmationCode } from "./ChannelsApi.ts"
import { operation } from "./internal/Operation.ts"

const params = { channelId: boundedText(100) }

const page = Schema.String.annotate({ description: "The page" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)
const html = "<!doctype html><title>Receive notifications?</title>"

export class ConfirmationsApi extends HttpApiGroup.make("confirmations")
  .add(
    HttpApiEndpoint.get("show", "/:channelId", {
      params,
      query: {
        code: Schema.optionalKey(boundedText(100).annotate({ description: "The code from the mail" })),
        recipient: Schema.optionalKey(
          boundedText(254).annotate({ description: "The recipient, as the mail's link has it" })
        )
      },
      success: page
    }).annotateMerge(
      operation({
        id: "showConfirmationPage",
        summary: "Show the confirmation page",
        description: "Shows the page that the link in a confirmation mail opens. It has a button and changes nothing.",
        response: html
      })
    ),
    HttpApiEndpoint.post("confirm", "/:channelId", {
      params,
      payload: ConfirmationCode.pipe(HttpApiSchema.asFormUrlEncoded()),
      success: page,
      error: refuses("not_found", "conflict", "payload_too_large", "validation_failed")
    })
      .middleware(AddressLimits)
      .annotate(Counted, { as: "writes", apart: "confirmation", refusesByPage: true })
      .annotateMerge(
        operation({
          id: "confirmRecipientFromPage",
          summary: "Confirm from the page",
          description:
            "Confirms the recipient with the code from the mail; the button of the page sends it. Errors are shown as pages.",
          request: { code: "482915" },
          response: html,
          errorPages: true
        })
      )
  )
  .middleware(Problems)
  .prefix("/public/channel-confirmations")
  .annotateMerge(OpenApi.annotations({ title: "Notification channels" })) {}
