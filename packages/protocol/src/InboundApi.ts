/** Where other software sends its alerts. The token is the only credential. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Received } from "./IntegrationBody.ts"
import { Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import * as Examples from "./internal/IntegrationExamples.ts"
import { operation } from "./internal/Operation.ts"

const payload = Schema.Json
const error = refuses(
  "not_found",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
  "validation_failed",
  "rate_limited"
)

const rules =
  "The form of the body is that of the integration. Each alert counts for itself: it opens once for its key, is refreshed while it is sent again, and resolves when its status says so; an alert that is not sent is not resolved. At most 1,000 alerts of a body are taken. An alert that is not understood is named in `warnings`; 422 with what was expected when nothing is."

const shared = { request: Examples.alertmanager, response: { received: 1 } }

export class InboundApi extends HttpApiGroup.make("inbound")
  .add(
    HttpApiEndpoint.post("receive", "/:token", {
      params: { token: boundedText(100).annotate({ description: "From the integration's `address`" }) },
      payload,
      success: Received,
      error
    }).annotateMerge(
      operation({ ...shared, id: "receiveAlerts", summary: "Send alerts", description: `Takes alerts. ${rules}` })
    ),
    HttpApiEndpoint.post("receiveByHeader", "/", {
      headers: {
        authorization: boundedText(200).annotate({
          description: "`Bearer` and the token of the integration's `address`"
        })
      },
      payload,
      success: Received,
      error
    }).annotateMerge(
      operation({
        ...shared,
        id: "receiveAlertsByHeader",
        summary: "Send alerts by header",
        description: `Takes alerts, with the token in the header instead of the address. ${rules}`
      })
    )
  )
  .annotateEndpoints(Declared, { isPolled: true })
  .middleware(Problems)
  .prefix("/inbound")
  .annotateMerge(OpenApi.annotations({ title: "Integrations" })) {}
