/**
 * Sends to a Discord webhook.
 * @see https://discord.com/developers/docs/resources/webhook#execute-webhook
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"
import { body } from "./Embed.ts"

const config = Schema.Struct({
  webhookUrl: WebAddress.annotate({
    description: "URL of the webhook; `?thread_id=` sends to a thread. Write-only"
  })
})

const discordHost = /^((canary|ptb)\.)?discord(app)?\.com$/

/** The versioned URL, which has documented responses and waits until the message is saved. */
const addressOf = (url: URL): URL => {
  const own = new URL(url)
  if (discordHost.test(own.hostname)) own.pathname = own.pathname.replace(/^\/api\/webhooks\//, "/api/v10/webhooks/")
  own.searchParams.set("wait", "true")
  return own
}

const unknownWebhook = 10015
const invalidToken = 50027

const ErrorBody = Schema.Struct({
  message: Schema.String,
  code: Schema.optionalKey(Schema.Finite),
  /** Seconds, with a fraction. */
  retry_after: Schema.optionalKey(Schema.Finite)
})
const readError = HttpDelivery.reader(ErrorBody)
const readMessage = HttpDelivery.reader(Schema.Struct({ id: Schema.String }))

const discord = Channel.define({
  type: "discord",
  title: "Discord",
  summary: "Sends to a Discord channel through a webhook.",
  config,
  example: { webhookUrl: "https://discord.com/api/webhooks/1234567890/abcdefghijklmnopqrstuvwxyz" },
  secrets: ["webhookUrl"],
  make: ({ webhookUrl }) =>
    Effect.sync(() => {
      const { headers, url } = basicAuth(webhookUrl)
      const address = addressOf(url)
      return {
        deliver: Effect.fn("notify-discord.deliver")(function* (notice) {
          const answer = yield* HttpDelivery.postJson({
            url: address,
            headers,
            json: body(notice),
            secrets: [webhookUrl, url.pathname, ...url.pathname.split("/"), url.search],
            explain: (text) => readError(text)?.message,
            classify: (given, detail) => {
              const error = readError(given.body)
              if (error === undefined) return undefined
              const { code, retry_after: seconds } = error
              // Clients that keep calling a deleted webhook are blocked, together with everyone behind the same address.
              if (code === unknownWebhook || code === invalidToken) return Channel.gone(detail)
              return given.status === 429 && given.headers["retry-after"] === undefined && seconds !== undefined
                ? Channel.throttled(detail, Math.min(Math.max(seconds, 1), 3600))
                : undefined
            }
          })
          const message = readMessage(answer.body)
          return {
            detail: `HTTP ${answer.status}`,
            ...(message !== undefined ? { reference: message.id } : {})
          }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-discord", contract: 1, channels: [discord] })
