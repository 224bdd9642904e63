/**
 * Where senders post their alerts: `POST /inbound/{token}`, or `POST /inbound` with the token as Bearer. The token is the only
 * credential. Answered when everything is stored: 5xx makes senders try again.
 */
import { upTo } from "@kanmon/domain/BoundedText"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { clientIp, networkOf } from "@kanmon/platform/http/RequestInfo"
import { Windows } from "@kanmon/platform/http/Windows"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Inbound } from "./Inbound.ts"

const seconds = 60
/** Tokens that are counted, some 200 bytes each. */
const capacity = 10_000

const tooOften = (limit: number, wait: number) =>
  new Problem({
    code: "rate_limited",
    detail: `More than ${limit} requests a minute from one sender; wait ${Math.ceil(wait)} s`,
    retryAfter: wait
  })

/** A token has 43 characters; others are not looked up. */
const tokenIn = (text: string): string | undefined => /^[0-9A-Za-z]{43}$/.exec(upTo(text, 43))?.[0]

const bearer = (header: string | undefined): string => /^Bearer (.+)$/i.exec(upTo(header ?? "", 100))?.[1]?.trim() ?? ""

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "inbound",
  Effect.fnUntraced(function* (handlers) {
    const inbound = yield* Inbound
    const lookups = yield* CredentialLookups
    const settings = yield* ApiSettings
    const senders = new Windows({ seconds, capacity })
    const { writes: limit } = settings.limits

    const receive = (
      presented: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>
    ) =>
      Effect.gen(function* () {
        const token = tokenIn(yield* presented)
        if (token === undefined) return yield* notFound("integration")
        const use = senders.use(token, limit, yield* Clock.currentTimeMillis)
        if (!use.admitted) return yield* tooOften(limit, use.reset)
        const known = Effect.flatMap(inbound.known(token), (isKnown) =>
          isKnown ? Effect.void : Effect.fail(notFound("integration"))
        )
        yield* lookups.look(networkOf(yield* clientIp), token, known)
        const { text } = yield* HttpServerRequest.HttpServerRequest
        const taken = yield* inbound.take(token, yield* Effect.orDie(text), settings.baseUrl)
        if (taken === undefined) return yield* notFound("integration")
        const { errors, received, refused } = taken
        if (refused) return yield* invalid(errors)
        return HttpServerResponse.jsonUnsafe({ received, ...(errors.length === 0 ? {} : { warnings: errors }) })
      }).pipe(Effect.provideService(ApiSettings, settings), Effect.catch(ProblemResponse.toResponse))

    const inPath = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")
    const inHeader = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => bearer(headers["authorization"]))

    return handlers.handleRaw("receive", () => receive(inPath)).handleRaw("receiveByHeader", () => receive(inHeader))
  })
)
