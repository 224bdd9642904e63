/** Properties of a request: its ID, the client's address, its path. */
import { upTo } from "@kanmon/domain/BoundedText"
import { isIP } from "node:net"
import { HttpServerRequest } from "effect/http"
import { Context, Effect, Option } from "effect"
import { ApiSettings } from "./ApiSettings.ts"

/** The ID of the request in the log and in the response. */
export const RequestId = Context.Reference<string>("@kanmon/platform/http/RequestId", {
  defaultValue: () => "none"
})

/** The client's address: from the socket, or from the trusted proxy's `X-Forwarded-For`. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest, trustedProxy: boolean): string => {
  // The proxy appends the address it saw. Only the last one can be trusted.
  const forwarded = trustedProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  if (forwarded !== undefined && isIP(forwarded) !== 0) return forwarded
  return Option.getOrElse(request.remoteAddress, () => "unknown")
}

/** As {@link addressOf}, of the current request. */
export const clientIp: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest | ApiSettings> = Effect.gen(
  function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { trustedProxy } = yield* ApiSettings
    return addressOf(request, trustedProxy)
  }
)

/** An IPv6 address with its zone is shorter. */
const maxAddress = 100

/** The network that rate limits count together: an IPv4 address, or the /64 of an IPv6 address. */
export const networkOf = (address: string): string => {
  const ip = upTo(address, maxAddress)
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4 !== undefined || !ip.includes(":")) return v4 ?? ip
  const [head = "", tail] = ip.split("%")[0]!.split("::")
  const groups = head === "" ? [] : head.split(":")
  const last = tail === undefined || tail === "" ? [] : tail.split(":")
  const whole = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - last.length).fill("0"), ...last]
  // Normalise, because an address has several spellings.
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

/** Whether the content type is JSON or absent. */
export const isJson = (headers: Readonly<Record<string, string | undefined>>): boolean =>
  /^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "application/json")

/** The path without the query. */
export const pathOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const end = request.url.indexOf("?")
  return end < 0 ? request.url : request.url.slice(0, end)
}

/** The parameters of the query. */
export const searchOf = ({ url }: HttpServerRequest.HttpServerRequest): URLSearchParams =>
  new URL(url, "http://localhost").searchParams

export const isRead = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"
