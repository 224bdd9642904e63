/**
 * Publishes to an ntfy topic, on the public server or another one, as JSON to the server's root.
 * @see https://docs.ntfy.sh/publish/#publish-as-json
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { Effect, Schema } from "effect"

const publicServer = "https://ntfy.sh"

/** They would be visible, and servers that need them are not supported. */
const extras = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { password, search, username } = new URL(address)
  return username !== "" || password !== "" || search !== ""
    ? "Expected a URL without a username, a password and a query"
    : undefined
}

const config = Schema.Struct({
  topic: Schema.String.annotate({ description: "Topic to publish to; anyone who knows its name can read it" }).check(
    Schema.isPattern(/^[-_A-Za-z0-9]{1,64}$/, { message: "Expected 1 to 64 letters, digits, dashes and underscores" })
  ),
  serverUrl: WebAddress.annotate({ description: `URL of the ntfy server; defaults to \`${publicServer}\`` })
    .check(Schema.makeFilter(extras))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(publicServer)))
})

/** Bytes of UTF-8; a longer message becomes an attachment. */
const messageLimit = 4096
const titleLimit = 250

const looks: Record<NoticeText.Tone, { readonly priority: number; readonly tag: string }> = {
  bad: { priority: 5, tag: "rotating_light" },
  warning: { priority: 4, tag: "warning" },
  good: { priority: 3, tag: "white_check_mark" },
  neutral: { priority: 3, tag: "bell" }
}

/** The notice in ntfy's format. Notices of one alert replace each other on the device. */
export const body = (topic: string, notice: Notice) => {
  const { priority, tag } = looks[NoticeText.tone(notice)]
  const lines = [
    NoticeText.summary(notice),
    ...NoticeText.testFacts(notice).map(({ label, value }) => `${label}: ${value}`)
  ].filter((line) => line !== "")
  return {
    topic,
    title: NoticeText.truncate(NoticeText.headline(notice), titleLimit),
    message: NoticeText.truncateBytes(lines.join("\n"), messageLimit),
    priority,
    tags: [tag],
    click: notice.links.monitor,
    // A tap posts, without opening a page; loading the address ahead does nothing.
    ...(notice.acknowledgeUrl === undefined
      ? {}
      : { actions: [{ action: "http", label: "Acknowledge", url: notice.acknowledgeUrl, method: "POST" }] }),
    sequence_id: notice.alertId
  }
}

/** The daily message quota is used up; it is renewed later. */
const dailyQuota = 42908
const quotaPause = 6 * 3600

const ErrorBody = Schema.Struct({ code: Schema.Int, error: Schema.String })
const readError = HttpDelivery.reader(ErrorBody)
const readReceipt = HttpDelivery.reader(Schema.Struct({ id: Schema.String }))

const ntfy = Channel.define({
  type: "ntfy",
  summary: "Publishes to a topic of ntfy, on the public server or your own.",
  config,
  example: { topic: "my-alerts", serverUrl: publicServer },
  make: ({ serverUrl, topic }) =>
    Effect.sync(() => ({
      deliver: Effect.fn("notify-ntfy.deliver")(function* (notice) {
        const answer = yield* HttpDelivery.postJson({
          // JSON must be sent to the server's root: sent to the topic it would be shown as text.
          url: new URL(serverUrl.endsWith("/") ? serverUrl : `${serverUrl}/`),
          json: body(topic, notice),
          secrets: [],
          explain: (text) => readError(text)?.error,
          classify: (given, detail) => {
            const error = readError(given.body)
            return error?.code === dailyQuota ? Channel.throttled(detail, quotaPause) : undefined
          }
        })
        const receipt = readReceipt(answer.body)
        return {
          detail: `HTTP ${answer.status}`,
          ...(receipt !== undefined ? { reference: receipt.id } : {})
        }
      })
    }))
})

export default Plugin.define({ name: "@kanmon/notify-ntfy", contract: 1, channels: [ntfy] })
