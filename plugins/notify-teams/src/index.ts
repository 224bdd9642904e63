/**
 * Sends to a Microsoft Teams workflow ("Post to a channel when a webhook request is received"), as an Adaptive Card.
 * @see https://learn.microsoft.com/power-automate/teams/send-a-message-in-teams
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"
import { body } from "./Card.ts"

const retired = (address: string): string | undefined =>
  URL.canParse(address) && /(^|\.)webhook\.office\.com$|^outlook\.office(365)?\.com$/.test(new URL(address).hostname)
    ? "This is the URL of an Office 365 connector, which Microsoft has retired; create a workflow in Teams instead"
    : undefined

const config = Schema.Struct({
  webhookUrl: WebAddress.annotate({ description: "URL of the workflow's webhook. Write-only" }).check(
    Schema.makeFilter(retired)
  )
})

const readError = HttpDelivery.reader(
  Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })
)

const teams = Channel.define({
  type: "teams",
  title: "Microsoft Teams",
  summary: "Sends to a Microsoft Teams channel through a workflow.",
  config,
  example: {
    webhookUrl:
      "https://example.06.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=a-signature"
  },
  secrets: ["webhookUrl"],
  make: ({ webhookUrl }) =>
    Effect.sync(() => {
      const { headers, url } = basicAuth(webhookUrl)
      return {
        deliver: Effect.fn("notify-teams.deliver")(function* (notice) {
          const answer = yield* HttpDelivery.postJson({
            url,
            headers,
            json: body(notice),
            secrets: [
              webhookUrl,
              `${url.pathname}${url.search}`,
              url.searchParams.get("sig") ?? "",
              ...url.pathname.split("/")
            ],
            explain: (text) => {
              const error = readError(text)
              return error === undefined ? undefined : `${error.error.code}: ${error.error.message}`
            }
          })
          // The response only confirms that the workflow was started.
          return { detail: `HTTP ${answer.status}` }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-teams", contract: 1, channels: [teams] })
