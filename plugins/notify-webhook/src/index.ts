/**
 * Sends notices to a URL of the user's choice, with the documented body. With a secret, requests are signed by the Standard
 * Webhooks scheme. Any 2xx is success, redirects are not followed, and 410 disables the channel.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import { HttpHeaders } from "@kanmon/core/HttpHeaders"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { filledText } from "@kanmon/domain/BoundedText"
import { Clock, Effect, Schema } from "effect"
import { body } from "./Body.ts"
import { objection, signed } from "./Signature.ts"

const config = Schema.Struct({
  url: WebAddress.annotate({ description: "Full URL that receives the notifications" }),
  method: Schema.Literals(["POST", "PUT", "PATCH"])
    .annotate({ description: "HTTP method; defaults to `POST`" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("POST" as const))),
  headers: Schema.optionalKey(
    HttpHeaders(["host", "content-type", "webhook-id", "webhook-timestamp", "webhook-signature"]).annotate({
      description: "Additional headers. Their values are write-only"
    })
  ),
  secret: Schema.optionalKey(
    filledText(512, { minimum: 16 }).annotate({
      description:
        "Signs every request by the Standard Webhooks scheme: `whsec_` and 24 to 64 bytes in base64, or any other text of 16 to 512 characters. Write-only"
    })
  )
})

const webhook = Channel.define({
  type: "webhook",
  summary: "Sends an HTTP request with a JSON body to a URL.",
  config,
  example: { url: "https://example.com/hooks/kanmon", headers: { authorization: "Bearer a-token-of-yours" } },
  secrets: ["headers", "secret"],
  validate: ({ secret }) => {
    const message = secret === undefined ? undefined : objection(secret)
    return message === undefined ? [] : [{ path: "secret", message }]
  },
  destination: ["url"],
  make: ({ headers, method, secret, url: address }) =>
    Effect.sync(() => {
      const { headers: authorization, url } = basicAuth(address)
      const secrets = [...Object.values(headers ?? {}), ...(secret === undefined ? [] : [secret])]
      return {
        deliver: Effect.fn("notify-webhook.deliver")(function* (notice) {
          const payload = JSON.stringify(body(notice))
          const seconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const answer = yield* HttpDelivery.send({
            url,
            method,
            headers: {
              "content-type": "application/json",
              ...authorization,
              ...headers,
              ...signed({ id: notice.id, seconds, payload, secret })
            },
            body: payload,
            secrets
          })
          return { detail: `HTTP ${answer.status}` }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-webhook", contract: 1, channels: [webhook] })
