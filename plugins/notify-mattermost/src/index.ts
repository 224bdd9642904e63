/**
 * Sends to a Mattermost incoming webhook.
 * @see https://developers.mattermost.com/integrate/webhooks/incoming/
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import * as Plugin from "@kanmon/core/Plugin"
import { basicAuth, WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"

const config = Schema.Struct({
  webhookUrl: WebAddress.annotate({ description: "URL of the incoming webhook. Write-only" })
})

const colours: Record<NoticeText.Tone, string> = {
  bad: "#d92d20",
  warning: "#f79009",
  good: "#12b76a",
  neutral: "#667085"
}

const summaryLimit = 4000
const valueLimit = 1000

/** Escapes Markdown. Mattermost also supports Slack's `<!channel>` and a bare `@all`, so both are escaped, too. */
const escape = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()#+\-.!|>~:]/g, "\\$&")
    .replaceAll("<", "&lt;")
    .replaceAll("@", "@\u2060")

export const body = (notice: Notice) => {
  const headline = NoticeText.headline(notice)
  const summary = NoticeText.truncate(NoticeText.summary(notice), summaryLimit)
  return {
    username: "Kanmon",
    attachments: [
      {
        fallback: escape(headline),
        color: colours[NoticeText.tone(notice)],
        title: escape(headline),
        title_link: notice.links.monitor,
        text: [
          escape(summary),
          ...(notice.acknowledgeUrl === undefined
            ? []
            : [`[${NoticeText.acknowledgeLabel(notice)}](${notice.acknowledgeUrl})`])
        ].join("\n\n"),
        fields: NoticeText.testFacts(notice).map(({ label, value }) => ({
          title: label,
          value: escape(NoticeText.truncate(value, valueLimit)),
          short: value.length <= 40
        }))
      }
    ]
  }
}

const readError = HttpDelivery.reader(Schema.Struct({ message: Schema.String }))

const mattermost = Channel.define({
  type: "mattermost",
  title: "Mattermost",
  summary: "Sends to a Mattermost channel through an incoming webhook.",
  config,
  example: { webhookUrl: "https://chat.example.com/hooks/abcdefghijklmnopqrstuvwxyz" },
  secrets: ["webhookUrl"],
  make: ({ webhookUrl }) =>
    Effect.sync(() => {
      const { headers, url } = basicAuth(webhookUrl)
      return {
        deliver: Effect.fn("notify-mattermost.deliver")(function* (notice) {
          const answer = yield* HttpDelivery.postJson({
            url,
            headers,
            json: body(notice),
            secrets: [webhookUrl, url.pathname, ...url.pathname.split("/"), url.search],
            explain: (text) => readError(text)?.message,
            // Webhooks are disabled on that server: its administrator has to enable them.
            classify: ({ status }, detail) => (status === 501 ? Channel.rejected(detail) : undefined)
          })
          return { detail: `HTTP ${answer.status}` }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-mattermost", contract: 1, channels: [mattermost] })
