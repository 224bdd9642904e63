/**
 * Sends to a Telegram chat with a bot.
 * @see https://core.telegram.org/bots/api#sendmessage
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as NoticeText from "@kanmon/core/NoticeText"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { patternText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import { acknowledgeButton, escaped, handled, html } from "./Html.ts"

const config = Schema.Struct({
  botToken: patternText(121, /^\d{3,20}:[A-Za-z0-9_-]{20,100}$/, "Expected a bot's token such as 123456:ABC…").annotate(
    { description: "Token of the bot, from @BotFather. Write-only" }
  ),
  chatId: patternText(65, /^(-?\d{1,20}|@[A-Za-z0-9_]{4,64})$/, "Expected a chat's number or @name").annotate({
    description: "Number of the chat, or `@name` of a channel; the bot must be a member"
  }),
  messageThreadId: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }, { message: "Expected the number of a topic, 1 or more" })
    ).annotate({ description: "Number of the topic in a group with topics; defaults to the general one" })
  )
})

const settings = Schema.Struct({
  KANMON_TELEGRAM_API_BASE: Schema.optionalKey(
    WebAddress.annotate({ description: "URL of the Bot API; defaults to `https://api.telegram.org`" })
  )
})

const usualBase = "https://api.telegram.org"

/** The longest text of a message. */
const messageLimit = 4096

const readError = HttpDelivery.reader(
  Schema.Struct({
    description: Schema.String,
    parameters: Schema.optionalKey(
      Schema.Struct({
        retry_after: Schema.optionalKey(Schema.Finite),
        migrate_to_chat_id: Schema.optionalKey(Schema.Finite)
      })
    )
  })
)
/** The message is gone, too old, or says the same already. */
const unchangeable = /message (?:is not modified|can't be edited|to edit not found)/i

const readSent = HttpDelivery.reader(Schema.Struct({ result: Schema.Struct({ message_id: Schema.Int }) }))

const telegram = Channel.define({
  type: "telegram",
  title: "Telegram",
  summary: "Sends to a Telegram chat through a bot.",
  config,
  example: { botToken: "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678", chatId: "-1001234567890" },
  secrets: ["botToken"],
  reachesPerson: true,
  callsOff: true,
  destination: [],
  settings,
  destinations: ({ KANMON_TELEGRAM_API_BASE: base }) => (base === undefined ? [] : [base]),
  make: ({ botToken, chatId, messageThreadId }, { KANMON_TELEGRAM_API_BASE: base = usualBase }) =>
    Effect.sync(() => {
      const send = Effect.fnUntraced(function* (
        text: string,
        more: object = {},
        method: "sendMessage" | "editMessageText" = "sendMessage"
      ) {
        const answer = yield* HttpDelivery.postJson({
          url: new URL(`${base.replace(/(?<!\/)\/+$/, "")}/bot${botToken}/${method}`),
          json: {
            chat_id: chatId,
            ...(messageThreadId === undefined || method === "editMessageText"
              ? {}
              : { message_thread_id: messageThreadId }),
            text,
            parse_mode: "HTML",
            link_preview_options: { is_disabled: true },
            ...more
          },
          secrets: [botToken, botToken.slice(botToken.indexOf(":") + 1)],
          explain: (answered) => readError(answered)?.description,
          classify: ({ body, headers, status }, detail) => {
            const error = readError(body)
            const parameters = error?.parameters
            if (method === "editMessageText" && status === 400 && unchangeable.test(error?.description ?? ""))
              return "accepted"
            if (status === 429 && headers["retry-after"] === undefined && parameters?.retry_after !== undefined)
              return Channel.throttled(detail, Math.min(Math.max(parameters.retry_after, 1), 3600))
            return parameters?.migrate_to_chat_id === undefined
              ? undefined
              : Channel.rejected(
                  `${detail}. The group has a new number: set chatId to ${parameters.migrate_to_chat_id}`
                )
          }
        })
        const sent = readSent(answer.body)
        return {
          detail: `HTTP ${answer.status}`,
          ...(sent !== undefined ? { reference: String(sent.result.message_id) } : {})
        }
      })
      return {
        deliver: Effect.fn("notify-telegram.deliver")((notice) => {
          const button = acknowledgeButton(notice)
          return send(html(notice), button === undefined ? {} : { reply_markup: { inline_keyboard: [[button]] } })
        }),
        callOff: Effect.fn("notify-telegram.callOff")(({ because, notice, reference }) =>
          // Without a keyboard: the button goes with the question.
          Effect.asVoid(send(handled(notice, because), { message_id: Number(reference) }, "editMessageText"))
        ),
        message: Effect.fn("notify-telegram.message")(({ text }) =>
          send(escaped(NoticeText.truncate(text, messageLimit)))
        )
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-telegram", contract: 1, channels: [telegram] })
