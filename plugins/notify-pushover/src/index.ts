/**
 * Sends push notifications through Pushover.
 * @see https://pushover.net/api
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import type { Notice } from "@kanmon/core/Notice"
import * as NoticeText from "@kanmon/core/NoticeText"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { scales } from "@kanmon/domain/Severity"
import { patternText } from "@kanmon/domain/BoundedText"
import { Clock, Effect, Schema } from "effect"

const key = (what: string) => patternText(30, /^[A-Za-z0-9]{30}$/, `Expected ${what} of 30 letters and digits`)

const config = Schema.Struct({
  userKey: key("a user key").annotate({ description: "Key of the user or group to notify. Write-only" }),
  appToken: key("a token").annotate({ description: "API token of your application. Write-only" })
})

const settings = Schema.Struct({
  KANMON_PUSHOVER_API_BASE: Schema.optionalKey(
    WebAddress.annotate({ description: "URL of the API; defaults to `https://api.pushover.net`" })
  )
})

const usualBase = "https://api.pushover.net"
const messageLimit = 1024
const titleLimit = 250
const urlLimit = 512

/** 2 would repeat until someone acknowledges it. A recovery has at most the default priority. */
const priorityOf = (notice: Notice): number => {
  const priority = scales.pushover[notice.severity]
  return NoticeText.isResolution(notice) ? Math.min(priority, 0) : priority
}

/** Why the person is paged keeps its room beside a long answer of the target. */
const whyLimit = 300

const message = (notice: Notice): string => {
  const isPaged = notice.why !== undefined
  const summary = NoticeText.truncate(NoticeText.summary(notice), isPaged ? messageLimit / 2 - 20 : messageLimit)
  const lines = [summary, ...NoticeText.testFacts(notice).map(lineOf(notice))]
  const text = lines.filter((line) => line !== "").join("\n")
  const said = text === "" ? NoticeText.headline(notice) : text
  // Pushover has one link, which opens the monitor; it shows others in the text.
  const link =
    notice.acknowledgeUrl === undefined ? "" : `\n${NoticeText.acknowledgeLabel(notice)}: ${notice.acknowledgeUrl}`
  return link.length > messageLimit / 2
    ? NoticeText.truncate(said, messageLimit)
    : `${NoticeText.truncate(said, messageLimit - link.length)}${link}`
}

const lineOf =
  (notice: Notice) =>
  (fact: NoticeText.Fact): string =>
    `${fact.label}: ${NoticeText.isWhy(fact, notice) ? NoticeText.truncate(fact.value, whyLimit) : fact.value}`

const readAnswer = HttpDelivery.reader(
  Schema.Struct({
    request: Schema.optionalKey(Schema.String),
    errors: Schema.optionalKey(Schema.Array(Schema.String))
  })
)

/** Used when the response does not say when the monthly quota is renewed. */
const quotaPause = 6 * 3600

const pushover = Channel.define({
  type: "pushover",
  title: "Pushover",
  summary: "Sends a push notification through Pushover.",
  config,
  example: { userKey: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG", appToken: "azGDORePK8gMaC0QOYAMyEEuzJnyUi" },
  secrets: ["userKey", "appToken"],
  reachesPerson: true,
  settings,
  destinations: ({ KANMON_PUSHOVER_API_BASE: base }) => (base === undefined ? [] : [base]),
  make: ({ appToken, userKey }, { KANMON_PUSHOVER_API_BASE: base = usualBase }) =>
    Effect.sync(() => {
      const send = Effect.fnUntraced(function* (content: object) {
        const now = yield* Clock.currentTimeMillis
        const answer = yield* HttpDelivery.postJson({
          url: new URL(`${base.replace(/(?<!\/)\/+$/, "")}/1/messages.json`),
          json: { token: appToken, user: userKey, ...content },
          secrets: [appToken, userKey],
          explain: (text) => readAnswer(text)?.errors?.join("; "),
          classify: ({ headers, status }, detail) => {
            if (status !== 429 || headers["retry-after"] !== undefined) return undefined
            // The monthly quota is used up: Unix time of its renewal.
            const reset = Number(headers["x-limit-app-reset"]) * 1000 - now
            return Channel.throttled(detail, reset > 0 ? Math.min(reset / 1000, 24 * 3600) : quotaPause)
          }
        })
        const said = readAnswer(answer.body)
        return {
          detail: `HTTP ${answer.status}`,
          ...(said?.request !== undefined ? { reference: said.request } : {})
        }
      })
      return {
        deliver: Effect.fn("notify-pushover.deliver")((notice) => {
          const link = notice.links.monitor
          return send({
            title: NoticeText.truncate(NoticeText.headline(notice), titleLimit),
            message: message(notice),
            priority: priorityOf(notice),
            timestamp: Math.floor(notice.at / 1000),
            ...(link.length <= urlLimit ? { url: link, url_title: NoticeText.openLabel(notice) } : {})
          })
        }),
        message: Effect.fn("notify-pushover.message")(function* ({ subject, text }) {
          const now = yield* Clock.currentTimeMillis
          return yield* send({
            title: NoticeText.truncate(subject, titleLimit),
            message: NoticeText.truncate(text, messageLimit),
            priority: 0,
            timestamp: Math.floor(now / 1000)
          })
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-pushover", contract: 1, channels: [pushover] })
