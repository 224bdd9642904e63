/**
 * The page behind the link of a confirmation mail. `GET` only shows a form, because mail scanners follow links; its button posts
 * the code.
 */
import * as FormPage from "@kanmon/platform/http/FormPage"
import { upTo } from "@kanmon/domain/BoundedText"
import { ChannelId } from "@kanmon/domain/Ids"
import { toIso } from "@kanmon/domain/Timestamp"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { clientIp } from "@kanmon/platform/http/RequestInfo"
import { type Answered, Recipients } from "./Recipients.ts"

/** A code and an address, which forms write with up to nine characters for each of theirs. */
const longestForm = 16_384

const decodeId = Schema.decodeUnknownOption(ChannelId)

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "confirmations",
  Effect.fnUntraced(function* (handlers) {
    const recipients = yield* Recipients
    const context = yield* Effect.context<ApiSettings>()

    const question = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { baseUrl } = yield* ApiSettings
      const asked = new URL(request.url, baseUrl).searchParams
      return page(200, {
        title: "Receive notifications?",
        paragraphs: [
          `${new URL(baseUrl).host} monitors websites and services. Your address was entered there to send you notifications of outages.`,
          "If you did not expect this, close this page: nothing will be sent."
        ],
        form: {
          fields: ["code", "recipient"].flatMap((name) => {
            const value = asked.get(name)
            return value === null ? [] : [{ type: "hidden", name, value } as const]
          }),
          button: "Yes, send me notifications"
        }
      })
    })

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const sent = new URLSearchParams(upTo(yield* Effect.orDie(request.text), longestForm))
      const id = decodeId((yield* HttpRouter.params)["channelId"])
      if (Option.isNone(id)) return refusal(notFound("channel"))
      const from = { ...(yield* CurrentActor), address: yield* clientIp }
      const entered = yield* Effect.result(
        Effect.provideService(
          recipients.confirm(id.value, sent.get("code") ?? "", sent.get("recipient") ?? undefined),
          CurrentActor,
          from
        )
      )
      const { baseUrl } = yield* ApiSettings
      return entered._tag === "Failure" ? refusal(entered.failure) : answered(entered.success, new URL(baseUrl).host)
    })

    return handlers
      .handleRaw("show", () => Effect.provideContext(question, context))
      .handleRaw("confirm", () => Effect.provideContext(answer, context))
  })
)

const page = (status: number, content: FormPage.FormPage) =>
  HttpServerResponse.text(FormPage.html(content), { status, headers: FormPage.headers })

/** A recipient that waits for no code is told to its own links alone: other callers learn nothing of it. */
const answered = ({ confirmedAt, isNew, isOfLink, recipient = "" }: Answered, host: string) =>
  isNew
    ? page(200, {
        title: "Thank you",
        paragraphs: [`Notifications of ${host} are sent to ${recipient} from now on. You can close this page.`]
      })
    : isOfLink
      ? page(200, {
          title: "Nothing to confirm",
          paragraphs: [
            confirmedAt === null
              ? `Notifications of ${host} are sent to ${recipient} without a confirmation.`
              : `${recipient} was confirmed on ${toIso(confirmedAt).slice(0, 16).replace("T", " at ")} UTC.`,
            "Nothing was changed now. You can close this page."
          ]
        })
      : refusal(spent)

const spent = new Problem({ code: "conflict", detail: "No code is valid" })

const refusal = (problem: Problem) =>
  page(problem.status, {
    title: "This link is not valid",
    paragraphs: [
      problem.code === "rate_limited"
        ? problem.detail
        : "It is incomplete, older than 24 hours, was used before, was tried with wrong codes too often, or was replaced by a newer one.",
      "Ask the person who set up the notifications to send a new one."
    ]
  })
