/**
 * Sends to a Rocket.Chat incoming webhook. Written with async functions only.
 * @see https://docs.rocket.chat/docs/integrations
 */
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import { definePlugin, definePromiseChannel, rejected } from "@kanmon/core/PromisePlugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Schema } from "effect"

const config = Schema.Struct({
  webhookUrl: WebAddress.annotate({ description: "URL of the incoming webhook. Write-only" })
})

const colours: Record<NoticeText.Tone, string> = {
  bad: "#d92d20",
  warning: "#f79009",
  good: "#12b76a",
  neutral: "#667085"
}

const longestText = 3000

/** Names and reasons are user-written: their Markdown is escaped, and nobody is mentioned. */
const escape = (text: string): string =>
  NoticeText.truncate(text, longestText)
    .replace(/[\\`*_~[\]()#>|]/g, "\\$&")
    .replaceAll("@", "@\u2060")

const body = (notice: Notice) => ({
  text: escape(NoticeText.headline(notice)),
  attachments: [
    {
      color: colours[NoticeText.tone(notice)],
      title: "Open the monitor",
      title_link: notice.links.monitor,
      text: escape(NoticeText.summary(notice)),
      fields: NoticeText.testFacts(notice).map(({ label, value }) => ({
        title: label,
        value: escape(value),
        short: true
      }))
    }
  ]
})

/** Rocket.Chat answers 200 to some failures and reports them in the body. */
const complaintIn = (text: string): string | undefined => {
  const answer = JSON.parse(text) as { readonly success?: boolean; readonly error?: unknown }
  return answer.success === false ? `Rocket.Chat refused: ${String(answer.error)}` : undefined
}

const rocketchat = definePromiseChannel({
  type: "rocketchat",
  title: "Rocket.Chat",
  summary: "Sends to a Rocket.Chat room through an incoming webhook.",
  config,
  example: { webhookUrl: "https://chat.example.com/hooks/64f0c0ffee/aVeryLongTokenOfTheHook" },
  secrets: ["webhookUrl"],
  deliver: async (notice, { webhookUrl }, { postJson }) => {
    const url = new URL(webhookUrl)
    const { status } = await postJson({
      url,
      json: body(notice),
      // Redacted if the response quotes them.
      secrets: [webhookUrl, url.pathname, ...url.pathname.split("/")],
      explain: complaintIn,
      classify: ({ body: text, status: code }, detail) =>
        code === 200 && /"success"\s*:\s*false/.test(text) ? rejected(detail) : undefined
    })
    return { detail: `HTTP ${status}` }
  }
})

export default definePlugin({ name: "notify-rocketchat", contract: 1, channels: [rocketchat] })
