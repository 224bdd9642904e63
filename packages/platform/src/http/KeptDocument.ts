/** Large documents that are the same for everyone until the process ends: compressed once, with an entity tag. */
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ContentCoding from "./ContentCoding.ts"
import * as EntityTags from "./EntityTags.ts"

type Response = HttpServerResponse.HttpServerResponse

export interface KeptDocument {
  readonly text: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

const brotli = promisify(brotliCompress)
const packed = promisify(gzip)

const responsesOf = async ({ contentType, headers, text }: KeptDocument) => {
  const plain = Buffer.from(text)
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`
  const own = { ...headers, etag, vary: "accept-encoding" }
  const of = (bytes: Uint8Array, coding?: ContentCoding.Coding): Response =>
    HttpServerResponse.uint8Array(bytes, {
      contentType,
      headers: coding === undefined ? own : { ...own, "content-encoding": coding }
    })
  // On Node's threads, not on the event loop.
  const [br, gz] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    packed(plain, { level: 6 })
  ])
  return {
    etag,
    unchanged: HttpServerResponse.empty({ status: 304, headers: own }),
    identity: of(plain),
    br: of(br, "br"),
    gzip: of(gz, "gzip")
  }
}

/** Answers requests with the document, which is made when it is first asked for: most processes are never asked. */
export const make = <R>(document: Effect.Effect<KeptDocument, never, R>) =>
  Effect.map(
    Effect.cached(Effect.flatMap(document, (made) => Effect.promise(() => responsesOf(made)))),
    (responses): Effect.Effect<Response, never, R | HttpServerRequest.HttpServerRequest> =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const made = yield* responses
        if (EntityTags.matches(headers["if-none-match"], made.etag)) return made.unchanged
        return made[ContentCoding.negotiate(headers["accept-encoding"]) ?? "identity"]
      })
  )
