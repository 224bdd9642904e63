/**
 * Reads one HTTP/1.1 response from the bytes of a connection (RFC 9112): skips interim responses, and ignores bytes
 * after the response. Lenient where the RFC permits it. Everything that a server may repeat is limited, and each byte
 * costs a constant amount of work, in chunks of any size.
 */
import * as GrowingBuffer from "@kanmon/core/GrowingBuffer"
import { textOf } from "./HeaderText.ts"
import { quote } from "@kanmon/core/Quote"
import { part as words } from "@kanmon/domain/Reason"
import type { PlainExplanation } from "@kanmon/domain/ReasonText"
import * as ResponseLines from "./ResponseLines.ts"

/** Maximum bytes of the headers of a response, of its trailers, and of all interim responses. */
export const headerLimit = 64 * 1024
/** Maximum lines of the headers of a response, and of its trailers. */
const maxLines = 1000
export const maxInterim = 100
/** Maximum bytes of the extensions of all chunks. */
const extensionLimit = 16 * 1024

/** What is too much, as parameters of a reason. */
export interface Amount {
  readonly amount: "kibibytes" | "lines" | "line" | "interims" | "too_many_interims"
  readonly limit?: number
  readonly of?: "headers" | "trailers" | "extensions" | "interims"
}

/** Why the bytes are no acceptable response. Text of the server in `detail` is quoted and short. */
export type Objection =
  | { readonly kind: "not_http" | "malformed"; readonly detail: PlainExplanation }
  | { readonly kind: "too_large"; readonly amount: Amount }
  | { readonly kind: "switched" }

export interface Head {
  readonly status: number
  readonly statusText: string
  /**
   * By name in lower case; a header that is sent several times has several values. In these and in `statusText` a character
   * is a byte.
   */
  readonly headers: Readonly<Record<string, ReadonlyArray<string>>>
}

/** How a body is sent. */
export interface Framing {
  /** Bytes, if they are announced. */
  readonly length: number | undefined
  /** Transfer codings besides `chunked`, in the order in which they were applied. */
  readonly codings: ReadonlyArray<string>
}

/** Called in this order: `head`, `data` any number of times, `end`; or `refuse` instead of what would come. */
export interface Receiver {
  readonly head: (head: Head, framing: Framing) => void
  /** A part of a chunk, which is only valid during the call. */
  readonly data: (chunk: Buffer, from: number, until: number) => void
  readonly end: () => void
  readonly refuse: (objection: Objection) => void
}

export interface ResponseParser {
  readonly push: (chunk: Buffer) => void
  /** The server has closed the connection. Returns false when the response is not complete. */
  readonly close: () => boolean
  /** The response as far as its headers have arrived; undefined before its status line. */
  readonly partial: () => Head | undefined
}

/** The next part of the response. */
type Part = "status" | "header" | "until close" | "length" | "chunk size" | "chunk" | "chunk end" | "trailer" | "over"

/** `hasBody` is false for a response to HEAD, even if its headers announce a body. */
export const make = (hasBody: boolean, receiver: Receiver): ResponseParser => {
  let part: Part = "status"
  /** The beginning of an incomplete line. */
  let begun: GrowingBuffer.GrowingBuffer | undefined
  let status = 0
  let statusText = ""
  let headers: Record<string, Array<string>> = {}
  let values: Array<string> | undefined
  /** Bytes and lines of the headers or trailers, and of the extensions of chunks. */
  let size = 0
  let lines = 0
  let extensions = 0
  let interim = 0
  let interims = 0
  /** Bytes of the body, or of the chunk, that have not arrived. */
  let rest = 0

  const isOver = (): boolean => part === "over"
  const isBody = (): boolean => part === "until close" || part === "length" || part === "chunk"
  const refuse = (objection: Objection): void => {
    part = "over"
    receiver.refuse(objection)
  }
  const malformed = (detail: PlainExplanation): void => refuse({ kind: "malformed", detail })
  const notHttp = (detail: PlainExplanation): void => refuse({ kind: "not_http", detail })
  const tooLarge = (amount: Amount["amount"], limit: number, of?: Amount["of"]): void =>
    refuse({ kind: "too_large", amount: { amount, limit, ...(of === undefined ? {} : { of }) } })
  const end = (): void => {
    part = "over"
    receiver.end()
  }

  const beginResponse = (text: string): void => {
    // Some servers send an empty line first.
    if (text === "" || text === "\r") return
    const found = ResponseLines.statusLine(text)
    if (found === undefined) return notHttp(words("first_line", { line: quoted(text) }))
    status = found.status
    statusText = found.statusText
    headers = {}
    values = undefined
    size = 0
    lines = 0
    part = "header"
  }

  /** Counts a line of headers or trailers. Returns whether there are too many. */
  const isTooMuch = (bytes: number): boolean => {
    size += bytes
    lines++
    const what = part === "trailer" ? "trailers" : "headers"
    if (size > headerLimit) tooLarge("kibibytes", headerLimit / 1024, what)
    else if (lines > maxLines) tooLarge("lines", maxLines, what)
    return part === "over"
  }

  const addHeader = (text: string): void => {
    if (ResponseLines.isFolded(text) && !text.includes("\0")) {
      // Before the first field, such a line is skipped (RFC 9112, section 2.2).
      if (values !== undefined) values[values.length - 1] = joined(values.at(-1)!, text)
      return
    }
    const found = ResponseLines.field(text)
    if ("problem" in found) return malformed(lineProblem("header", lines, text, found.problem))
    const key = found.name.toLowerCase()
    if (Object.hasOwn(headers, key)) {
      values = headers[key]!
      values.push(found.value)
    } else {
      values = [found.value]
      Object.defineProperty(headers, key, { value: values, enumerable: true, configurable: true, writable: true })
    }
  }

  const endHead = (): void => {
    if (status === 101) return refuse({ kind: "switched" })
    if (status < 200) {
      part = "status"
      if (++interims > maxInterim) tooLarge("interims", maxInterim)
      return
    }
    const isEmpty = !hasBody || status === 204 || status === 304
    const named = ResponseLines.codings(headers["transfer-encoding"] ?? [])
    if (named === null) return malformed(words("transfer_encoding_too_long", {}))
    // It changes nothing, but after `chunked` it makes that not the last one: the end of the connection ends the body.
    const codings = named.filter((coding) => coding !== "identity")
    // Transfer codings override a length (RFC 9112, section 6.3).
    const length = codings.length > 0 || isEmpty ? undefined : lengthOf(headers["content-length"] ?? [])
    if (length === null) return
    const isChunked = named.at(-1) === "chunked"
    receiver.head(head(), { length, codings: isChunked ? codings.slice(0, -1) : codings })
    // The receiver may have had enough.
    if (isOver()) return
    if (isEmpty) return end()
    if (isChunked) part = "chunk size"
    else if (length === undefined) part = "until close"
    else {
      rest = length
      part = "length"
      if (rest === 0) end()
    }
  }

  const lengthOf = (lengths: ReadonlyArray<string>): number | null | undefined => {
    const length = ResponseLines.contentLength(lengths)
    if (length === null) malformed(words("content_length", { value: quoted(lengths.join(", ").slice(0, 200)) }))
    return length
  }

  const beginChunk = (line: Buffer, from: number, until: number): void => {
    const found = ResponseLines.chunkSize(line, from, until)
    if (found === undefined)
      return malformed(words("chunk_size", { value: quoted(line.toString("latin1", from, until)) }))
    extensions += found.extensions
    if (extensions > extensionLimit) return tooLarge("kibibytes", extensionLimit / 1024, "extensions")
    rest = found.size
    size = 0
    lines = 0
    part = rest === 0 ? "trailer" : "chunk"
  }

  const trailer = (text: string): void => {
    if (text === "") return end()
    if (ResponseLines.isFolded(text)) return
    const found = ResponseLines.field(text)
    if ("problem" in found) malformed(lineProblem("trailer", lines, text, found.problem))
  }

  /** A line without its end, and how many bytes it had with it. */
  const readLine = (line: Buffer, from: number, until: number, bytes: number): void => {
    switch (part) {
      case "chunk size":
        return beginChunk(line, from, until)
      case "chunk end":
        part = "chunk size"
        return from === until ? undefined : malformed(chunkTooLong)
      case "status":
        return beginResponse(line.toString("latin1", from, until))
      case "header":
        if (isTooMuch(bytes)) return
        return from === until ? endHead() : addHeader(line.toString("latin1", from, until))
      default:
        return isTooMuch(bytes) ? undefined : trailer(line.toString("latin1", from, until))
    }
  }

  /** Counts all bytes before the last status line, which are interim responses. Returns whether there are too many. */
  const isTooMuchInterim = (bytes: number): boolean => {
    if (part !== "status" && !(part === "header" && status < 200)) return false
    interim += bytes
    if (interim > headerLimit) tooLarge("kibibytes", headerLimit / 1024, "interims")
    return isOver()
  }

  /** Reads a line, or its beginning; returns where what follows begins. Lines end with LF, with or without CR before it. */
  const readFrom = (chunk: Buffer, from: number): number => {
    const found = chunk.indexOf(0x0a, from)
    const next = found < 0 ? chunk.length : found + 1
    if (isTooMuchInterim(next - from)) return next
    if (begun === undefined && found >= 0) {
      readLine(chunk, from, withoutReturn(chunk, from, found), next - from)
      return next
    }
    begun ??= GrowingBuffer.make(headerLimit + 1)
    begun.append(chunk, from, next)
    if (found < 0) refuseEarly(begun)
    else {
      const line = begun.bytes()
      begun = undefined
      if (line.length > headerLimit) tooLong()
      else readLine(line, 0, withoutReturn(line, 0, line.length - 1), line.length)
    }
    return next
  }

  const tooLong = (): void => tooLarge("line", headerLimit / 1024)

  /** An end that never comes must not be waited for. */
  const refuseEarly = (line: GrowingBuffer.GrowingBuffer): void => {
    if (line.size() > headerLimit) return tooLong()
    // Once is enough: a longer beginning is that of a status line, too.
    if (part === "status" && line.size() < 1024) {
      const text = line.bytes().toString("latin1")
      if (!ResponseLines.maybeStatusLine(text)) notHttp(words("first_line_begins", { line: quoted(text) }))
    } else if (part === "chunk end" && line.bytes()[0] !== 0x0d) malformed(chunkTooLong)
  }

  const readBody = (chunk: Buffer, from: number): number => {
    if (part === "until close") {
      receiver.data(chunk, from, chunk.length)
      return chunk.length
    }
    const until = Math.min(chunk.length, from + rest)
    rest -= until - from
    receiver.data(chunk, from, until)
    if (rest === 0) {
      if (part === "length") end()
      else if (part === "chunk") part = "chunk end"
    }
    return until
  }

  const head = (): Head => ({ status, statusText, headers })

  return {
    push: (chunk) => {
      let at = 0
      while (at < chunk.length && !isOver()) at = isBody() ? readBody(chunk, at) : readFrom(chunk, at)
    },
    close: () => {
      if (part === "until close") end()
      return part === "over"
    },
    partial: () => (status < 200 ? undefined : head())
  }
}

/** Where a line ends when its LF is at `end`. */
const withoutReturn = (line: Buffer, from: number, end: number): number =>
  end > from && line[end - 1] === 0x0d ? end - 1 : end

/** A folded line replaces its line break by a space (RFC 9112, section 5.2). */
const joined = (value: string, line: string): string => {
  const more = ResponseLines.trim(line.replaceAll("\r", " "))
  return value === "" ? more : more === "" ? value : `${value} ${more}`
}

const quoted = (bytes: string): string => quote(textOf(bytes.slice(0, 400)))

const chunkTooLong = words("chunk_too_long", {})

const lineProblem = (
  part: "header" | "trailer",
  number: number,
  line: string,
  problem: ResponseLines.LineProblem
): PlainExplanation => words("line_problem", { part, number, line: shown(line), problem })

/** A header line for a message, without its value, which may be secret. */
const shown = (line: string): string => {
  const name = ResponseLines.nameOf(line)
  return name === undefined ? quoted(line) : quote(`${textOf(name.slice(0, 90))}: …`)
}
