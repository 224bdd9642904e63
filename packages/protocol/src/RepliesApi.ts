/** Where providers of calls and messages post what people answer. Their signature is the only credential. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import { operation } from "./internal/Operation.ts"

const hook = boundedText(64).annotate({ description: "Kind of request, which the provider's plugin names: `sms`" })
const query = {
  message: Schema.optionalKey(boundedText(64).annotate({ description: "The message that the request is about" }))
}
const form = Schema.Record(Schema.String, boundedText(16_384)).annotate({
  description: "The form of the provider; its plugin reads it"
})
const payload = form.pipe(HttpApiSchema.asFormUrlEncoded())
const success = Schema.String.annotate({ description: "What the provider says to the person" }).pipe(
  HttpApiSchema.asText({ contentType: "text/xml" })
)
const error = refuses("not_found", "forbidden", "request_timeout", "payload_too_large", "unavailable")

const rules =
  "For the provider only: its signature is verified with the operator's settings, over the public address of the installation. 403: it is not valid. 503: the operator has not set up the provider. An answer that is sent again has no second effect, and gets the same response."

const shared = {
  request: { From: "+4915112345678", Body: "ack 12345678", MessageSid: "SM0123456789abcdef0123456789abcdef" },
  response: '<?xml version="1.0" encoding="UTF-8"?><Response><Message>Acknowledged: 1 alert.</Message></Response>'
}

export class RepliesApi extends HttpApiGroup.make("replies")
  .add(
    HttpApiEndpoint.post("receive", "/replies/:provider/:hook", {
      params: { provider: boundedText(64).annotate({ description: "The provider, such as `twilio`" }), hook },
      query,
      payload,
      success,
      error
    }).annotateMerge(
      operation({
        ...shared,
        id: "receiveReply",
        summary: "Receive an answer",
        description: `Takes a key that a person pressed during a call, a text message that answers a page, or how a call or message ended. ${rules}`
      })
    ),
    HttpApiEndpoint.post("receiveTwilio", "/twilio/:hook", {
      params: { hook: hook.annotate({ description: "`voice`, `sms` or `status`" }) },
      query,
      payload,
      success,
      error
    }).annotateMerge(
      operation({
        ...shared,
        id: "receiveTwilioReply",
        summary: "Receive an answer from Twilio",
        description: `The same for Twilio: the address of incoming messages of the number in TWILIO_FROM ends in \`/twilio/sms\`. ${rules}`
      })
    )
  )
  .annotateEndpoints(Declared, { bodyLimit: 64 * 1024, timeout: "5 seconds" })
  .middleware(Problems)
  .annotateMerge(OpenApi.annotations({ title: "Alerts" })) {}
