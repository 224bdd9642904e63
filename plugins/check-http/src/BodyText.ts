/** Decodes a response body: its content codings (RFC 9110, section 8.4) and its charset. */
import * as zlib from "node:zlib"
import * as GrowingBuffer from "@kanmon/core/GrowingBuffer"
import { type Reason, reason } from "@kanmon/domain/Reason"
import type { Failure } from "@kanmon/domain/Observation"
import { Effect, Semaphore } from "effect"
import * as ContentType from "./ContentType.ts"
import { clip } from "@kanmon/core/Quote"

/** The evaluated part of a body, before and after decoding. */
export const bodyLimit = 1024 * 1024

/** A body as received, with its headers; empty strings for missing ones. */
export interface Received {
  readonly body: Buffer
  readonly contentEncoding: string
  readonly contentType: string
  /** Whether reading stopped before the end of the body. */
  readonly cut: boolean
}

type Decoder = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress

/** More codings than this are no accident. */
const maxCodings = 5
/** Concurrent decodings in this process. They share Node's few threads with name lookups. */
const decodings = Semaphore.makeUnsafe(2)
const chunkSize = 64 * 1024

const { BROTLI_OPERATION_FLUSH, Z_FINISH, Z_SYNC_FLUSH, ZSTD_d_windowLogMax, ZSTD_e_flush } = zlib.constants

/** A flush instead of a finish, so that a truncated body yields what it has. */
const zlibOptions = (cut: boolean): zlib.ZlibOptions => ({ chunkSize, finishFlush: cut ? Z_SYNC_FLUSH : Z_FINISH })

const gzip = (_body: Buffer, cut: boolean): Decoder => zlib.createGunzip(zlibOptions(cut))

const decoders: ReadonlyMap<string, (body: Buffer, cut: boolean) => Decoder> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  [
    "deflate",
    // Many servers omit the zlib header (RFC 9110, section 8.4.1.2), as browsers accept.
    (body, cut) =>
      (body[0]! & 0x0f) === 8 ? zlib.createInflate(zlibOptions(cut)) : zlib.createInflateRaw(zlibOptions(cut))
  ],
  [
    "br",
    (_body, cut) => zlib.createBrotliDecompress({ chunkSize, ...(cut ? { finishFlush: BROTLI_OPERATION_FLUSH } : {}) })
  ],
  [
    "zstd",
    (_body, cut) =>
      // The window size that RFC 9659 allows: a frame determines the memory of its decoder.
      zlib.createZstdDecompress({
        chunkSize,
        params: { [ZSTD_d_windowLogMax]: 23 },
        ...(cut ? { finishFlush: ZSTD_e_flush } : {})
      })
  ]
])

/** The text, at most 1 MiB of it; fails when the body does not have the encoding of its headers, or an unsupported one. */
export const read = (received: Received): Effect.Effect<string, Failure> => {
  if (received.body.length === 0) return Effect.succeed("")
  const codings = ContentType.codingsOf(received.contentEncoding)
  if (codings === null) return undecodable(reason("encoding_too_long", {}))
  if (codings.length === 0) return Effect.succeed(decoded(received.body, received))
  return Effect.map(decodings.withPermit(undone(received, codings)), (body) => decoded(body, received))
}

/** Codings are listed in the order in which they were applied. */
const undone = ({ body, cut }: Received, codings: ReadonlyArray<string>): Effect.Effect<Buffer, Failure> => {
  if (codings.length > maxCodings) {
    return undecodable(reason("encoding_too_deep", { count: codings.length, limit: maxCodings }))
  }
  const unknown = codings.find((coding) => !decoders.has(coding))
  if (unknown !== undefined) {
    return undecodable(reason("encoding_unknown", { coding: clip(unknown.slice(0, 40)) }))
  }
  return Effect.gen(function* () {
    let rest = { body, cut }
    for (const coding of codings.toReversed()) rest = yield* decompressed(coding, rest.body, rest.cut)
    return rest.body
  })
}

const decompressed = (
  coding: string,
  body: Buffer,
  cut: boolean
): Effect.Effect<{ readonly body: Buffer; readonly cut: boolean }, Failure> =>
  Effect.callback((resume) => {
    // Decoding happens in Node's threads, chunk by chunk, and only as far as it is read.
    const decoder = decoders.get(coding)!(body, cut)
    const decoded = GrowingBuffer.make(bodyLimit)
    const complete = (isCut: boolean): void => {
      decoder.destroy()
      resume(Effect.succeed({ body: decoded.bytes(), cut: isCut }))
    }
    decoder.on("data", (chunk: Buffer) => {
      decoded.append(chunk)
      if (decoded.size() >= bodyLimit) complete(true)
    })
    decoder.on("end", () => complete(cut))
    decoder.on("error", () => resume(undecodable(reason("encoding_wrong", { coding }))))
    decoder.end(body)
    return Effect.sync(() => void decoder.destroy())
  })

const undecodable = (words: Reason): Effect.Effect<never, Failure> =>
  Effect.fail({ code: "body_undecodable", ...words })

/** A byte order mark overrides the headers, and those override the text's own declaration (WHATWG HTML, Encoding). */
const decoded = (body: Buffer, { contentType }: Received): string => {
  const label =
    byteOrderMark(body) ?? ContentType.charsetOf(contentType) ?? ContentType.declaredCharset(contentType, body)
  return decoderOf(label).decode(body)
}

const byteOrderMark = (body: Buffer): string | undefined => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8"
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le"
  return body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : undefined
}

const decoderOf = (label = "utf-8"): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
