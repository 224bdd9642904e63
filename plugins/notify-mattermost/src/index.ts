/**
 * Sends to an incoming webhook of Mattermost.
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
  webhookUrl: WebAddress.annotate({ description: "Address of the incoming webhook. Write-only" })
})

const colours: Record<NoticeText.Tone, string> = {
  bad: "#d92d20",
  warning: "#f79009",
  good: "#12b76a",
  neutral: "#667085"
}

const summaryLimit = 4000
const valueLimit = 1000

/**
 * Markdown's marks with a backslash before them. Mattermost also knows Slack's `<!channel>` and mentions everybody for a
 * bare `@all`: neither is left as it was.
 */
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
        text: escape(summary),
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
            // Webhooks are switched off on that server: a person has to switch them on.
            classify: ({ status }, detail) => (status === 501 ? Channel.rejected(detail) : undefined)
          })
          return { detail: `HTTP ${answer.status}` }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-mattermost", contract: 1, channels: [mattermost] })
