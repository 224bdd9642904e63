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
import { filledText, patternText } from "@kanmon/domain/BoundedText"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { scales } from "@kanmon/domain/Severity"
import { Effect, Schema } from "effect"

const publicServer = "https://ntfy.sh"

/** They would be visible in lists and logs; credentials have fields of their own. */
const extras = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { password, search, username } = new URL(address)
  return username !== "" || password !== "" || search !== ""
    ? "Expected a URL without a username, a password and a query"
    : undefined
}

const config = Schema.Struct({
  topic: patternText(64, /^[-_A-Za-z0-9]{1,64}$/, "Expected 1 to 64 letters, digits, dashes and underscores").annotate({
    description: "Topic to publish to; on an open server anyone who knows its name can read it"
  }),
  serverUrl: WebAddress.annotate({ description: `URL of the ntfy server; defaults to \`${publicServer}\`` })
    .check(Schema.makeFilter(extras))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(publicServer))),
  username: Schema.optionalKey(
    patternText(256, /^[^:\p{Cc}]{1,256}$/u, "Expected 1 to 256 characters without a colon").annotate({
      description: "User of a protected server; with `password`"
    })
  ),
  password: Schema.optionalKey(filledText(256).annotate({ description: "Password of the user. Write-only" })),
  token: Schema.optionalKey(
    patternText(256, /^[A-Za-z0-9_-]{8,256}$/, "Expected an access token such as tk_…").annotate({
      description: "Access token of a protected server, instead of a user. Write-only"
    })
  )
})
type Config = typeof config.Type

/** One way to sign in, complete. */
const credentialsFit = ({ password, token, username }: Config): ReadonlyArray<FieldError> => {
  const wrong = (path: string, message: string) => [{ path, message }]
  if (token !== undefined && (username !== undefined || password !== undefined))
    return wrong("token", "Expected either a token, or a username with a password")
  if (username !== undefined && password === undefined)
    return wrong("password", "Expected the password of the username")
  if (password !== undefined && username === undefined)
    return wrong("username", "Expected the username of the password")
  return []
}

const headersOf = ({ password, token, username }: Config): Readonly<Record<string, string>> =>
  token !== undefined
    ? { authorization: `Bearer ${token}` }
    : username !== undefined && password !== undefined
      ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` }
      : {}

/** Bytes of UTF-8; a longer message becomes an attachment. */
const messageLimit = 4096
const titleLimit = 250
/** Bytes that are kept for the line why a person is paged. */
const whyRoom = 1024

const tags: Record<NoticeText.Tone, string> = {
  bad: "rotating_light",
  warning: "warning",
  good: "white_check_mark",
  neutral: "bell"
}

/** A recovery is no louder than the app's default. */
const priorityOf = (notice: Notice): number => {
  const priority = scales.ntfy[notice.severity]
  return NoticeText.isResolution(notice) ? Math.min(priority, 3) : priority
}

/** The notice in ntfy's format. Notices of one alert replace each other on the device. */
export const body = (topic: string, notice: Notice) => {
  const summary = NoticeText.summary(notice)
  const lines = [
    // Why the person is paged keeps its room beside a long answer of the target.
    notice.why === undefined ? summary : NoticeText.truncateBytes(summary, messageLimit - whyRoom),
    ...NoticeText.testFacts(notice).map(({ label, value }) => `${label}: ${value}`)
  ].filter((line) => line !== "")
  return {
    topic,
    title: NoticeText.truncate(NoticeText.headline(notice), titleLimit),
    message: NoticeText.truncateBytes(lines.join("\n"), messageLimit),
    priority: priorityOf(notice),
    tags: [tags[NoticeText.tone(notice)]],
    click: notice.links.monitor,
    // A tap posts, without opening a page; loading the address ahead does nothing.
    ...(notice.acknowledgeUrl === undefined
      ? {}
      : {
          actions: [
            { action: "http", label: NoticeText.acknowledgeLabel(notice), url: notice.acknowledgeUrl, method: "POST" }
          ]
        }),
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
  title: "ntfy",
  summary: "Publishes to a topic of ntfy, on the public server or your own.",
  config,
  example: { topic: "my-alerts", serverUrl: publicServer },
  secrets: ["password", "token"],
  sensitive: ["topic"],
  reachesPerson: true,
  destination: ["serverUrl"],
  validate: credentialsFit,
  make: (given) => {
    const { password = "", serverUrl, token = "", topic } = given
    const headers = headersOf(given)
    const send = Effect.fnUntraced(function* (json: object) {
      const answer = yield* HttpDelivery.postJson({
        // JSON must be sent to the server's root: sent to the topic it would be shown as text.
        url: new URL(serverUrl.endsWith("/") ? serverUrl : `${serverUrl}/`),
        headers,
        json,
        secrets: [password, token, (headers["authorization"] ?? "").split(" ")[1] ?? ""],
        explain: (text) => readError(text)?.error,
        classify: (answered, detail) => {
          const error = readError(answered.body)
          return error?.code === dailyQuota ? Channel.throttled(detail, quotaPause) : undefined
        }
      })
      const receipt = readReceipt(answer.body)
      return {
        detail: `HTTP ${answer.status}`,
        ...(receipt !== undefined ? { reference: receipt.id } : {})
      }
    })
    return Effect.succeed({
      deliver: Effect.fn("notify-ntfy.deliver")((notice) => send(body(topic, notice))),
      message: Effect.fn("notify-ntfy.message")(({ subject, text }) =>
        send({
          topic,
          title: NoticeText.truncate(subject, titleLimit),
          message: NoticeText.truncateBytes(text, messageLimit),
          priority: scales.ntfy.warning,
          tags: [tags.neutral]
        })
      )
    })
  }
})

export default Plugin.define({ name: "@kanmon/notify-ntfy", contract: 1, channels: [ntfy] })
