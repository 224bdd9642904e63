/**
 * Reads one HTTP/1.1 response from the bytes of a connection (RFC 9112): skips interim responses, of which a server may send
 * any number, and ends with the response; what follows it on the connection is nobody's. Strict: a server that does not
 * keep to the syntax is reported, as any client may stumble over it.
 */

/** Maximum bytes of the names and values of headers, and of interim responses. */
export const headerLimit = 64 * 1024

/** Why the bytes are no acceptable response. */
export type Objection = "not_http" | "headers_too_large" | "interim_too_large" | "switched"

export interface Head {
  readonly status: number
  readonly statusText: string
  /** By name in lower case; a header that is sent several times has several values. */
  readonly headers: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Called in this order: `head`, `data` any number of times, `end`; or `refuse` instead of what would come. */
export interface Receiver {
  readonly head: (head: Head) => void
  readonly data: (chunk: Buffer) => void
  readonly end: () => void
  readonly refuse: (objection: Objection) => void
}

export interface ResponseParser {
  readonly push: (chunk: Buffer) => void
  /** The server has closed the connection. Returns false when the response is not complete. */
  readonly close: () => boolean
}

const statusLine = /^HTTP\/(?:0\.9|1\.0|1\.1|2\.0) ([1-9]\d{2})(?: (.*))?$/
const beginning = "HTTP/"
const header = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/
const chunkSize = /^([0-9A-Fa-f]{1,13})(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const blank = /^\r?\n$/
const digits = /^\d{1,15}$/

/** What comes next on the connection. */
type Part = "status" | "header" | "until close" | "length" | "chunk size" | "chunk" | "chunk end" | "trailer" | "over"

/** `hasBody` is false for a response to HEAD, whatever its headers announce. */
export const make = (hasBody: boolean, receiver: Receiver): ResponseParser => {
  let part: Part = "status"
  /** The beginning of a line whose end has not arrived; a character for each byte. */
  let line = ""
  let status = 0
  let statusText = ""
  let headers: Record<string, Array<string>> = {}
  let size = 0
  let interim = 0
  /** Bytes of the body, or of the chunk, that have not arrived. */
  let rest = 0

  const isOver = (): boolean => part === "over"
  const isBody = (): boolean => part === "until close" || part === "length" || part === "chunk"
  const refuse = (objection: Objection): void => {
    part = "over"
    receiver.refuse(objection)
  }
  const end = (): void => {
    part = "over"
    receiver.end()
  }

  const beginResponse = (text: string): void => {
    const match = statusLine.exec(text)
    if (match === null) return refuse("not_http")
    status = Number(match[1])
    statusText = match[2] ?? ""
    headers = {}
    size = 0
    part = "header"
  }

  const addHeader = (text: string): void => {
    const match = header.exec(text)
    if (match === null) return refuse("not_http")
    const [, name, value] = match as unknown as readonly [string, string, string]
    size += name.length + value.length
    if (size > headerLimit) return refuse(status < 200 ? "interim_too_large" : "headers_too_large")
    const key = name.toLowerCase()
    if (!Object.hasOwn(headers, key)) {
      Object.defineProperty(headers, key, { value: [value], enumerable: true, configurable: true, writable: true })
    } else headers[key]!.push(value)
  }

  const endHead = (): void => {
    if (status === 101) return refuse("switched")
    if (status < 200) {
      part = "status"
      return
    }
    const lengths = headers["content-length"] ?? []
    const codings = (headers["transfer-encoding"] ?? []).join(",")
    // Two lengths, or a length beside chunks: what is the body depends on who reads it.
    if (lengths.length > 1 || (lengths.length === 1 && (codings !== "" || !digits.test(lengths[0]!))))
      return refuse("not_http")
    receiver.head({ status, statusText: utf8(statusText), headers })
    // The receiver may have had enough.
    if (part === "over") return
    if (!hasBody || status === 204 || status === 304) return end()
    if (/(?:^|[,\t ])chunked$/i.test(codings)) part = "chunk size"
    else if (lengths.length === 0) part = "until close"
    else {
      rest = Number(lengths[0])
      part = "length"
      if (rest === 0) end()
    }
  }

  const beginChunk = (text: string): void => {
    const match = chunkSize.exec(text)
    if (match === null) return refuse("not_http")
    rest = Number.parseInt(match[1]!, 16)
    size = 0
    part = rest === 0 ? "trailer" : "chunk"
  }

  const trailer = (text: string): void => {
    if (text === "") return end()
    size += text.length
    if (!header.test(text)) return refuse("not_http")
    if (size > headerLimit) refuse("headers_too_large")
  }

  const readLine = (text: string): void => {
    switch (part) {
      case "status":
        return beginResponse(text)
      case "header":
        return text === "" ? endHead() : addHeader(text)
      case "chunk size":
        return beginChunk(text)
      case "chunk end":
        part = "chunk size"
        return text === "" ? undefined : refuse("not_http")
      default:
        return trailer(text)
    }
  }

  /** Reads as many lines as the chunk has from `from` on; returns where what is no line begins. */
  const readLines = (chunk: Buffer, from: number): number => {
    let at = from
    while (at < chunk.length && !isOver() && !isBody()) {
      const found = chunk.indexOf(0x0a, at)
      const until = found < 0 ? chunk.length : found + 1
      if (status < 200 && (part === "status" || part === "header")) interim += until - at
      line += chunk.toString("latin1", at, until)
      at = until
      if (found < 0) {
        refuseEarly()
        return at
      }
      const text = line
      line = ""
      // Some servers send an empty line first.
      if (part === "status" && blank.test(text)) continue
      if (!text.endsWith("\r\n")) refuse("not_http")
      else readLine(text.slice(0, -2))
      if (part === "status" && interim > headerLimit) refuse("interim_too_large")
    }
    return at
  }

  /** An end that never comes must not be waited for. */
  const refuseEarly = (): void => {
    const begun = line.slice(0, beginning.length)
    if (part === "status" && line !== "\r" && !beginning.startsWith(begun)) refuse("not_http")
    else if (line.length > headerLimit)
      refuse(part === "header" && status < 200 ? "interim_too_large" : "headers_too_large")
  }

  const readBody = (chunk: Buffer, from: number): number => {
    if (part === "until close") {
      receiver.data(from === 0 ? chunk : chunk.subarray(from))
      return chunk.length
    }
    const until = Math.min(chunk.length, from + rest)
    rest -= until - from
    receiver.data(from === 0 && until === chunk.length ? chunk : chunk.subarray(from, until))
    if (rest === 0) {
      if (part === "length") end()
      else if (part === "chunk") part = "chunk end"
    }
    return until
  }

  return {
    push: (chunk) => {
      let at = 0
      while (at < chunk.length && !isOver()) at = isBody() ? readBody(chunk, at) : readLines(chunk, at)
    },
    close: () => {
      if (part === "until close") end()
      return part === "over"
    }
  }
}

/** Text whose characters are bytes, as UTF-8. */
const utf8 = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes
