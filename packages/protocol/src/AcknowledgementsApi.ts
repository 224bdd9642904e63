/** The page that the link in a notification opens, to acknowledge an alert. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted } from "./Serving.ts"
import { operation } from "./internal/Operation.ts"

const params = { token: boundedText(4096).annotate({ description: "The token of the link" }) }

const page = Schema.String.annotate({ description: "The page" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)
const html = "<!doctype html><title>Acknowledge this alert?</title>"

export class AcknowledgementsApi extends HttpApiGroup.make("acknowledgements")
  .add(
    HttpApiEndpoint.get("show", "/:token", { params, success: page, error: refuses("not_found") }).annotateMerge(
      operation({
        id: "showAcknowledgementPage",
        summary: "Show the acknowledgement page",
        description:
          "Shows the page that the link in a notification opens. It has a button and changes nothing, however often scanners and browsers load it.",
        response: html,
        errorPages: true
      })
    ),
    HttpApiEndpoint.post("acknowledge", "/:token", {
      params,
      success: page,
      error: refuses("not_found", "conflict", "payload_too_large")
    })
      .middleware(AddressLimits)
      .annotate(Counted, { as: "writes", apart: "acknowledge", refusesByPage: true })
      .annotateMerge(
        operation({
          id: "acknowledgeFromPage",
          summary: "Acknowledge from the page",
          description:
            "Acknowledges the alerts of the notification; the button of the page sends it. A link works once and for seven days. Errors are shown as pages.",
          response: html,
          errorPages: true
        })
      )
  )
  .middleware(Problems)
  .prefix("/public/acknowledgements")
  .annotateMerge(OpenApi.annotations({ title: "Alerts" })) {}
