/**
 * Sends notices to a URL of the user's choice, with the body that the interface documents. With a secret, requests are
 * signed by the Standard Webhooks scheme. Any 2xx is success, redirects are not followed, 410 switches the channel off.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import { HttpHeaders } from "@kanmon/core/HttpHeaders"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { Clock, Effect, Schema } from "effect"
import { body } from "./Body.ts"
import { signed } from "./Signature.ts"

const config = Schema.Struct({
  url: WebAddress.annotate({ description: "Full URL that receives the notifications" }),
  method: Schema.Literals(["POST", "PUT", "PATCH"])
    .annotate({ description: "HTTP method; `POST` unless given" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("POST" as const))),
  headers: Schema.optionalKey(
    HttpHeaders(["host", "content-type", "webhook-id", "webhook-timestamp", "webhook-signature"]).annotate({
      description: "Headers to send along. Their values are write-only"
    })
  ),
  secret: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(16), Schema.isMaxLength(512)).annotate({
      description:
        "Signs every request by the Standard Webhooks scheme: `whsec_` and base64, or any text of 16 characters and more. Write-only"
    })
  )
})

/** The documented events; a webhook is told when an expiry alert opens, and reads of its end in the history. */
const untold = new Set(["ssl_recovered", "domain_recovered"])

const webhook = Channel.define({
  type: "webhook",
  summary: "Sends an HTTP request with a JSON body to a URL.",
  config,
  example: { url: "https://example.com/hooks/kanmon", headers: { authorization: "Bearer a-token-of-yours" } },
  secrets: ["headers", "secret"],
  make: ({ headers, method, secret, url: address }) =>
    Effect.sync(() => {
      const { headers: authorization, url } = basicAuth(address)
      const secrets = [...Object.values(headers ?? {}), ...(secret === undefined ? [] : [secret])]
      return {
        deliver: Effect.fn("notify-webhook.deliver")(function* (notice) {
          if (untold.has(notice.event)) return { detail: `Webhooks are not told of ${notice.event}` }
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
