/** What every part of the HTTP side wants to know of a request. */
import { isIP } from "node:net"
import { HttpServerRequest } from "effect/http"
import { Context, Effect, Option } from "effect"
import { ApiSettings } from "./ApiSettings.ts"

/** The id under which a request is logged and answered. */
export const RequestId = Context.Reference<string>("@kanmon/server/RequestId", { defaultValue: () => "none" })

/** The caller's address: the socket's, or what the trusted proxy says. */
export const clientIp: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest | ApiSettings> = Effect.gen(
  function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { trustedProxy } = yield* ApiSettings
    // The proxy in front appends the address it saw: the last one is the only one it vouches for.
    const forwarded = trustedProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
    if (forwarded !== undefined && isIP(forwarded) !== 0) return forwarded
    return Option.getOrElse(request.remoteAddress, () => "unknown")
  }
)

/** What one party can call from: an IPv4 address, or the /64 that an IPv6 address stands in. */
export const networkOf = (ip: string): string => {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined || !ip.includes(":")) return v4 ?? ip
  const [head = "", tail] = ip.split("%")[0]!.split("::")
  const groups = head === "" ? [] : head.split(":")
  const last = tail === undefined || tail === "" ? [] : tail.split(":")
  const whole = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - last.length).fill("0"), ...last]
  // One address can be written in several ways.
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

/** Whether the body says it is JSON, or says nothing. */
export const isJson = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "application/json")

/** The path without the query. */
export const pathOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const end = request.url.indexOf("?")
  return end < 0 ? request.url : request.url.slice(0, end)
}

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"
