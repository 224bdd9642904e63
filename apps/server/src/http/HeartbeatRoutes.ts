/**
 * Where jobs send their signals: `GET`, `POST` or `HEAD` on `/heartbeat/{token}`, and below it `/start`, `/fail`, `/log` or an
 * exit code, as on healthchecks.io. No credentials but the token; from browsers of any origin; answered when it is durable.
 */
import { HeartbeatInbox } from "@kanmon/engine/heartbeats/HeartbeatInbox"
import type { Signal, SignalKind } from "@kanmon/domain/Heartbeat"
import { basePath } from "@kanmon/protocol/Api"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiSettings } from "./ApiSettings.ts"
import * as ProblemResponse from "./ProblemResponse.ts"
import { clientIp, networkOf, pathOf } from "./RequestInfo.ts"
import { SignalLimits } from "./SignalLimits.ts"

/** Below this address every path belongs to signals. */
const heartbeatPath = `${basePath}/heartbeat`

const bodyLimit = 100 * 1024
const messageLimit = 10_000
const mostMetrics = 50

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

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const inbox = yield* HeartbeatInbox
    const limits = yield* SignalLimits
    const settings = yield* ApiSettings
    const handle = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.method === "OPTIONS") return preflight
      if (!["GET", "POST", "HEAD"].includes(request.method))
        return yield* new Problem({ code: "method_not_allowed", detail: "Signals are sent with GET, POST or HEAD" })
      const [token = "", action, ...rest] = pathOf(request)
        .slice(heartbeatPath.length + 1)
        .split("/")
      const meaning = rest.length > 0 ? undefined : meaningOf(action ?? "")
      if (meaning === undefined || !/^[0-9A-Za-z]{32,64}$/.test(token)) return yield* notFound("heartbeat")
      const network = networkOf(yield* clientIp)
      yield* limits.admit(token, network)
      const signal = yield* signalOf(request, meaning, yield* Clock.currentTimeMillis)
      const known = yield* inbox.take(token, signal)
      yield* limits.note(token, network, known)
      if (!known) return yield* notFound("heartbeat")
      return HttpServerResponse.jsonUnsafe({ ok: true })
    }).pipe(
      Effect.provideService(ApiSettings, settings),
      Effect.catch(ProblemResponse.toResponse),
      Effect.map((response) => HttpServerResponse.setHeaders(response, anyOrigin))
    )
    yield* router.add("*", `${heartbeatPath}/*`, handle)
  })
)

interface Meaning {
  readonly kind: SignalKind
  readonly exitCode: number | null
}

const meaningOf = (action: string): Meaning | undefined => {
  if (action === "") return { kind: "success", exitCode: null }
  if (action === "start" || action === "fail" || action === "log") return { kind: action, exitCode: null }
  if (!/^\d{1,3}$/.test(action) || Number(action) > 255) return undefined
  return { kind: Number(action) === 0 ? "success" : "fail", exitCode: Number(action) }
}

const Metrics = Schema.Record(Schema.String, Schema.Finite)
const decodeMetrics = Schema.decodeUnknownResult(Metrics)
const metricName = /^[A-Za-z_][\w.-]{0,63}$/

const signalOf = (
  request: HttpServerRequest.HttpServerRequest,
  meaning: Meaning,
  at: number
): Effect.Effect<Signal, Problem> =>
  Effect.gen(function* () {
    const query = new URL(request.url, "http://localhost").searchParams
    const rid = query.get("rid") ?? ""
    if (rid.length > 64) return yield* invalid([{ path: "rid", message: "Expected at most 64 characters" }])
    const text = request.method === "POST" ? yield* Effect.orDie(request.text) : ""
    if (Buffer.byteLength(text) > bodyLimit)
      return yield* new Problem({ code: "payload_too_large", detail: "A signal's body may have 100 kB" })
    const body = bodyOf(text)
    const metrics: Record<string, unknown> = { ...body.metrics }
    for (const [name, value] of query)
      if (name.startsWith("m.")) metrics[name.slice(2)] = Number(value === "" ? Number.NaN : value)
    const decoded = decodeMetrics(metrics)
    const names = Object.keys(metrics)
    const odd = names.find(
      (name) => !metricName.test(name) || typeof metrics[name] !== "number" || !Number.isFinite(metrics[name])
    )
    if (odd !== undefined || decoded._tag === "Failure")
      return yield* invalid([
        { path: `metrics.${odd ?? ""}`, message: "Expected a name of letters and digits, and a number" }
      ])
    if (names.length > mostMetrics)
      return yield* invalid([{ path: "metrics", message: `Expected at most ${mostMetrics} metrics` }])
    return { ...meaning, at, rid: storable(rid), message: body.message, metrics: decoded.success }
  })

/** `{metrics, message}` when it is such JSON; otherwise the text itself is the message, as a job's last output often is. */
const bodyOf = (text: string): { readonly metrics: object; readonly message: string | null } => {
  const parsed = parse(text)
  if (typeof parsed === "object" && parsed !== null && ("metrics" in parsed || "message" in parsed)) {
    const { message, metrics } = parsed as { readonly message?: unknown; readonly metrics?: unknown }
    return {
      metrics: typeof metrics === "object" && metrics !== null ? metrics : {},
      message: typeof message === "string" ? storable(message) : null
    }
  }
  return { metrics: {}, message: text.trim() === "" ? null : storable(text) }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The end of a long output is what tells. The database knows no null characters. */
const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "").slice(-messageLimit)
