/**
 * Where jobs send their signals: `GET`, `POST` or `HEAD` on `/heartbeat/{token}`, and below it `/start`, `/fail`, `/log` or an
 * exit code, as on healthchecks.io. No credentials but the token; from browsers of any origin; answered when it is durable.
 */
import { HeartbeatInbox } from "./HeartbeatInbox.ts"
import { upTo } from "@kanmon/domain/BoundedText"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { decide, type SignalMeaning, type SignalWarning } from "@kanmon/domain/SignalParameters"
import { basePath } from "@kanmon/protocol/BasePath"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { notFound, partlyRecorded, recordedInPart } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as ProblemResponse from "@kanmon/platform/http/ProblemResponse"
import { clientIp, networkOf, pathOf, searchOf } from "@kanmon/platform/http/RequestInfo"
import * as SignalBody from "./SignalBody.ts"
import * as SignalContent from "./SignalContent.ts"
import { SignalLimits } from "./SignalLimits.ts"
import { keep, readBytes } from "./SignalText.ts"

const heartbeatPath = `${basePath}/heartbeat`

const anyOrigin = { "access-control-allow-origin": "*" }

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...anyOrigin,
    "access-control-allow-methods": "GET, POST, HEAD",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "86400"
  }
})

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "heartbeats",
  Effect.fnUntraced(function* (handlers) {
    const inbox = yield* HeartbeatInbox
    const limits = yield* SignalLimits
    const settings = yield* ApiSettings
    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { action = "", token = "" } = yield* HttpRouter.params
      const address = meaningOf(action)
      const isToken = /^[0-9A-Za-z]{32,64}$/.test(upTo(token, 64)) && isPlain(request, token, action)
      if (address === undefined || !isToken) return yield* notFound("heartbeat")
      const ip = yield* clientIp
      const network = networkOf(ip)
      yield* limits.admit(token, network)
      const at = yield* Clock.currentTimeMillis
      const { errors, isTooLong, stated, warnings: unread, ...content } = yield* contentOf(request, token)
      const { meaning, warnings: contradictions } = decide(address, stated)
      const warnings = [...unread, ...contradictions]
      const known = yield* limits.settle(token, network, inbox.take(token, { ...meaning, ...content, address: ip, at }))
      if (!known) return yield* notFound("heartbeat")
      if (isTooLong) return yield* recordedInPart
      if (errors.length > 0) return yield* partlyRecorded([...errors, ...warnings.map(asError)])
      return HttpServerResponse.jsonUnsafe({
        ok: true,
        ...(content.truncated ? { truncated: true } : {}),
        ...(warnings.length === 0 ? {} : { warnings })
      })
    }).pipe(
      Effect.provideService(ApiSettings, settings),
      Effect.catch(ProblemResponse.toResponse),
      Effect.map((response) => HttpServerResponse.setHeaders(response, anyOrigin))
    )
    return handlers
      .handleRaw("success", () => handle)
      .handleRaw("successByGet", () => handle)
      .handleRaw("action", () => handle)
      .handleRaw("actionByGet", () => handle)
      .handleRaw("preflight", () => Effect.succeed(preflight))
      .handleRaw("preflightOfAction", () => Effect.succeed(preflight))
  })
)

/** Signals have no other spelling of their address: logs and proxies find the token in it by the usual one. */
const isPlain = (request: HttpServerRequest.HttpServerRequest, token: string, action: string): boolean =>
  pathOf(request)
    .slice(heartbeatPath.length + 1)
    .startsWith(action === "" ? token : `${token}/${action}`)

type Address = Parameters<typeof decide>[0]

const meaningOf = (action: string): Address | undefined => {
  if (action === "") return { ...meant("success"), explicit: false }
  if (action === "start" || action === "fail" || action === "log") return { ...meant(action), explicit: true }
  if (!/^\d{1,3}$/.test(upTo(action, 3)) || Number(action) > 255) return undefined
  return { kind: Number(action) === 0 ? "success" : "fail", exitCode: Number(action), explicit: true }
}

const meant = (kind: SignalMeaning["kind"]): SignalMeaning => ({ kind, exitCode: null })

const asError = ({ message }: SignalWarning): FieldError => ({ path: "", message })

const contentOf = (request: HttpServerRequest.HttpServerRequest, token: string) =>
  Effect.gen(function* () {
    const sent = request.method === "POST" ? yield* SignalBody.read(request) : nothing
    const isPlain = (request.headers["content-encoding"] ?? "identity") === "identity"
    const { size, text } = isPlain ? sent : { ...sent, text: "" }
    const isTooLong = size > readBytes
    const query = searchOf(request)
    // The ends of a long body are no JSON and no form.
    const type = isTooLong ? "text/plain" : (request.headers["content-type"] ?? "")
    const { message, ...content } = SignalContent.read(query, text, type)
    const body = keep(text, token, size)
    const said = message === null ? null : message === text ? body : keep(message, token)
    return {
      ...content,
      errors: isPlain ? content.errors : [compressed, ...content.errors],
      message: said === null ? null : said.text,
      body: said === body || body.text.trim() === "" ? null : body.text,
      size: size === 0 ? Buffer.byteLength(message ?? "") : size,
      truncated: body.truncated || said?.truncated === true,
      isTooLong
    }
  })

const nothing = { size: 0, text: "" }

const compressed: FieldError = { path: "", message: "The body is compressed and was not read; send it as it is" }
