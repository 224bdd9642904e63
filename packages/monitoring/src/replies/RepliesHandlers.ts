/**
 * Where providers post what people answer: `POST /replies/{provider}/{hook}`, and `POST /twilio/{hook}` for Twilio. The signature of the
 * provider is the only credential.
 */
import type { Incoming } from "@kanmon/core/Replies"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Replying } from "./Replying.ts"

const notSetUp = (provider: string) =>
  new Problem({
    code: "unavailable",
    detail: `Answers through ${provider} are not configured on this server`
  })

const notSigned = new Problem({ code: "forbidden", detail: "The signature is not valid" })

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "replies",
  Effect.fnUntraced(function* (handlers) {
    const replying = yield* Replying
    const settings = yield* ApiSettings

    const receive = (ofPath: (params: Readonly<Record<string, string | undefined>>) => string) =>
      Effect.gen(function* () {
        const params = yield* HttpRouter.params
        const [provider, hook] = [ofPath(params), params["hook"] ?? ""]
        const replies = replying.repliesOf(provider)
        if (replies === undefined || !replies.hooks.includes(hook)) return yield* notFound("address")
        if (!replies.isSetUp) return yield* notSetUp(provider)
        const request = yield* HttpServerRequest.HttpServerRequest
        const incoming: Incoming = {
          hook,
          // The provider signs the public address, and a proxy may have changed Host and path.
          url: `${settings.baseUrl}${request.url}`,
          headers: request.headers,
          body: yield* Effect.orDie(request.text)
        }
        if (!replies.isFrom(incoming)) return yield* notSigned
        const { body, contentType } = yield* replying.take(provider, replies, incoming)
        return HttpServerResponse.text(body, { contentType })
      }).pipe(Effect.provideService(ApiSettings, settings), Effect.catch(ProblemResponse.toResponse))

    return handlers
      .handleRaw("receive", () => receive((params) => params["provider"] ?? ""))
      .handleRaw("receiveTwilio", () => receive(() => "twilio"))
  })
)
