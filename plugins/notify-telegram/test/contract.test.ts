import { assert, describe, it } from "@effect/vitest"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import * as ChannelContract from "@kanmon/testkit/ChannelContract"
import { http, json, require } from "@kanmon/testkit/ChannelWorld"
import { notices } from "@kanmon/testkit/SampleNotices"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect, Layer, Result } from "effect"
import plugin from "../src/index.ts"

const channel = plugin.channels[0]!

const botToken = "123456:ABCdefGhIJKlmNoPQRsTUVwxyZ012345678"
const settle = (address: string) => ({
  config: { botToken, chatId: "-1001234567890" },
  settings: { KANMON_TELEGRAM_API_BASE: address }
})

const failed = (description: string) => ({
  status: 400,
  body: JSON.stringify({ ok: false, error_code: 400, description: `Bad Request: ${description}` })
})

/** Parses like the server: tags are nested, nothing else looks like a tag, and the remaining text has a maximum length. */
const parsed = (text: string): string => {
  const open: Array<string> = []
  const plain = text.replaceAll(/<(\/?)([a-z]+)(?: href="[^"<>]*")?>/g, (_, end: string, tag: string) => {
    if (end === "") open.push(tag)
    else require(open.pop() === tag, "can't parse entities: tags are crossed", failed("can't parse entities"))
    return ""
  })
  require(open.length === 0, "can't parse entities: a tag is not closed", failed("can't parse entities"))
  require(!/[<>]|&(?!lt;|gt;|amp;|quot;)/.test(plain), `can't parse entities: ${plain}`, failed("can't parse entities"))
  return plain.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

const world = http({
  settle,
  golden: ({ body }) => JSON.parse(body) as unknown,
  answer: (request) => {
    require(request.path === `/bot${botToken}/sendMessage`, "Not Found", { status: 404 })
    const body = json(request) as any
    require(body.chat_id === "-1001234567890" && body.parse_mode === "HTML", "chat not found", failed("chat not found"))
    const text = parsed(body.text)
    require(text.trim() !== "", "message text is empty", failed("message text is empty"))
    require(text.length <= 4096, `message is too long: ${text.length}`, failed("message is too long"))
    return { status: 200, body: JSON.stringify({ ok: true, result: { message_id: 42 } }) }
  }
})

ChannelContract.suite(channel, world, { golden: new URL("./golden", import.meta.url) })

ChannelContract.answers(channel, settle, [
  [403, { ok: false, description: "Forbidden: bot was blocked by the user" }, "Rejected"],
  [401, { ok: false, description: "Unauthorized" }, "Rejected"],
  [429, { ok: false, description: "Too Many Requests: retry after 5", parameters: { retry_after: 5 } }, "Throttled 5"],
  [
    400,
    { ok: false, description: "upgraded to a supergroup chat", parameters: { migrate_to_chat_id: -100987 } },
    "Rejected"
  ]
])

describe("a topic of a group", () => {
  const policy = { allowPrivate: true }
  const network = NodeDialer.layer(policy).pipe(Layer.provideMerge(NodeResolver.layer(policy)))
  const config = { botToken, chatId: "-1001234567890", messageThreadId: 7 }

  it.live("gets the messages, and the general one without a number", () =>
    Effect.gen(function* () {
      const there = yield* Targets.http(
        Targets.answer({ body: JSON.stringify({ ok: true, result: { message_id: 1 } }) })
      )
      const settings = { KANMON_TELEGRAM_API_BASE: there.url }
      for (const given of [config, { ...config, messageThreadId: undefined }]) {
        const plain = JSON.parse(JSON.stringify(given)) as unknown
        const started = yield* Result.getOrThrow(channel.start(plain, settings))
        yield* started.deliver(notices.down)
      }
      const threads = there.requests.map(({ body }) => (JSON.parse(body) as any).message_thread_id)
      assert.deepStrictEqual(threads, [7, undefined])
    }).pipe(Effect.scoped, Effect.provide(network))
  )

  it.live("has the message that is changed when the alert needs no answer any more, without its button", () =>
    Effect.gen(function* () {
      const there = yield* Targets.http(
        Targets.answer({ body: JSON.stringify({ ok: true, result: { message_id: 7 } }) })
      )
      const started = yield* Result.getOrThrow(channel.start(config, { KANMON_TELEGRAM_API_BASE: there.url }))
      yield* started.callOff!({ reference: "7", notice: notices.down, because: "A & B has it" })
      const [request] = there.requests
      const body = JSON.parse(request!.body) as any
      assert.strictEqual(request!.url, `/bot${botToken}/editMessageText`)
      assert.deepInclude(body, { chat_id: "-1001234567890", message_id: 7, parse_mode: "HTML" })
      assert.notProperty(body, "reply_markup")
      assert.isTrue(body.text.endsWith("✅ <b>A &amp; B has it</b>"), body.text)
    }).pipe(Effect.scoped, Effect.provide(network))
  )

  it.live("keeps a message that cannot be changed any more, and tries again what was refused for now", () =>
    Effect.gen(function* () {
      const ends = [
        [400, "Bad Request: message is not modified: specified new message content is the same", undefined],
        [400, "Bad Request: message to edit not found", undefined],
        [400, "Bad Request: chat not found", "Rejected"],
        [500, "Internal", "Unreachable"]
      ] as const
      for (const [status, description, reason] of ends) {
        const there = yield* Targets.http(Targets.answer({ status, body: JSON.stringify({ ok: false, description }) }))
        const started = yield* Result.getOrThrow(channel.start(config, { KANMON_TELEGRAM_API_BASE: there.url }))
        const ended = yield* Effect.result(
          started.callOff!({ reference: "7", notice: notices.down, because: "Resolved" })
        )
        assert.strictEqual(Result.isFailure(ended) ? ended.failure.reason._tag : undefined, reason, description)
      }
    }).pipe(Effect.scoped, Effect.provide(network))
  )

  it.each([0, -1, 1.5, "7", 2 ** 31])("refuses the number %j", (messageThreadId) => {
    const result = channel.normalize({ ...config, messageThreadId })
    assert.deepStrictEqual(Result.isFailure(result) ? result.failure.errors.map(({ path }) => path) : [], [
      "messageThreadId"
    ])
  })
})
