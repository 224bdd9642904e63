/** Compresses responses for clients that accept it. */
import { upTo } from "@kanmon/domain/BoundedText"
import { Effect } from "effect"
import { HttpPlatform, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ContentCoding from "./ContentCoding.ts"

type Response = HttpServerResponse.HttpServerResponse

/** One packet holds less. */
const minSize = 1_400
const levels: Readonly<Record<ContentCoding.Coding, number>> = { br: 3, gzip: 4 }

/** Text, but not event streams: each event leaves at once. */
const isText = (contentType: string): boolean =>
  /^(text\/(?!event-stream)|application\/([\w.-]{1,64}\+)?(json|javascript|xml|yaml))/i.test(upTo(contentType, 512))

const isCompressible = ({ body, headers, status }: Response): boolean =>
  status >= 200 &&
  ![204, 206, 304].includes(status) &&
  headers["content-encoding"] === undefined &&
  body._tag !== "Empty" &&
  body._tag !== "FormData" &&
  !(headers["cache-control"] ?? "").includes("no-transform") &&
  isText(headers["content-type"] ?? body.contentType ?? "")

const varying = (response: Response): Response => {
  const vary = response.headers["vary"]
  if (vary === undefined) return HttpServerResponse.setHeader(response, "vary", "Accept-Encoding")
  const known = vary.split(",").some((name) => ["*", "accept-encoding"].includes(name.trim().toLowerCase()))
  return known ? response : HttpServerResponse.setHeader(response, "vary", `${vary}, Accept-Encoding`)
}

const isSmall = ({ body, headers }: Response): boolean => {
  const length = body._tag === "Empty" ? 0 : (body.contentLength ?? headers["content-length"])
  return length !== undefined && Number(length) < minSize
}

/**
 * Wraps the whole app. A page elsewhere cannot make a browser send its session's cookie (SameSite), so lengths reveal
 * nothing about responses.
 */
export const wrap = <E, R>(
  app: Effect.Effect<Response, E, R>
): Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest | HttpPlatform.HttpPlatform> =>
  Effect.flatMap(app, (response) =>
    isCompressible(response)
      ? Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const coding = ContentCoding.negotiate(headers["accept-encoding"])
          if (coding === undefined || isSmall(response)) return varying(response)
          const { compression } = yield* HttpPlatform.HttpPlatform
          return yield* compression.compressResponse(response, coding, { level: levels[coding] })
        })
      : Effect.succeed(response)
  )
