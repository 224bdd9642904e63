/**
 * Sends to a Slack incoming webhook, or a compatible one.
 * @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"
import { body } from "./Blocks.ts"

const otherContract = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { hostname, pathname } = new URL(address)
  return /^hooks\.slack(-gov)?\.com$/.test(hostname) && /^\/(workflows|triggers)\//.test(pathname)
    ? "This is the URL of a workflow, which needs other messages; create an incoming webhook"
    : undefined
}

const config = Schema.Struct({
  webhookUrl: WebAddress.annotate({ description: "URL of the incoming webhook. Write-only" }).check(
    Schema.makeFilter(otherContract)
  )
})

/** The webhook, its channel or its team no longer exists. */
const gone = /^(no_service|no_service_id|no_active_hooks|no_team|team_disabled|channel_is_archived)$/

const slack = Channel.define({
  type: "slack",
  title: "Slack",
  summary: "Sends to a Slack channel through an incoming webhook.",
  config,
  example: { webhookUrl: "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX" },
  secrets: ["webhookUrl"],
  make: ({ webhookUrl }) =>
    Effect.sync(() => {
      const { headers, url } = basicAuth(webhookUrl)
      return {
        deliver: Effect.fn("notify-slack.deliver")(function* (notice) {
          const answer = yield* HttpDelivery.postJson({
            url,
            headers,
            json: body(notice),
            secrets: [webhookUrl, url.pathname, ...url.pathname.split("/"), ...url.searchParams.values(), url.search],
            classify: ({ body: said, status }, detail) =>
              (status === 404 || status === 410) && gone.test(said.trim()) ? Channel.gone(detail) : undefined
          })
          return { detail: `HTTP ${answer.status}` }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-slack", contract: 1, channels: [slack] })
