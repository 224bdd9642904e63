/** Header fields that users configure: names and values that HTTP allows (RFC 9110, section 5). */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"

const longest = 8192
const tooLong = `Expected printable characters, at most ${longest}`
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Set by the sender; a configured value would break the message. */
const reserved = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "keep-alive",
  "te",
  "trailer"
])

/**
 * An object from header names to values. `forbidden` names, in lower case, are rejected in addition to those that frame the
 * message.
 */
export const HttpHeaders = (forbidden: ReadonlyArray<string> = []) =>
  Schema.Record(Schema.String, boundedText(longest, tooLong)).check(
    Schema.makeFilter(
      (headers: Readonly<Record<string, string>>) => {
        const names = Object.keys(headers)
        if (names.length > 50) return "Expected at most 50 headers"
        return names.flatMap((name) => {
          const value = headers[name]!
          const lower = name.toLowerCase()
          if (name.length > longest || !token.test(name))
            return [{ path: [name], issue: "Expected a valid header name" }]
          if (names.some((other) => other !== name && other.toLowerCase() === lower))
            return [{ path: [name], issue: "This header occurs twice" }]
          if (reserved.has(lower) || forbidden.includes(lower))
            return [{ path: [name], issue: "This header is set by Kanmon" }]
          if (value.length > longest || /[^\t\x20-\x7E\x80-\xFF]/.test(value)) return [{ path: [name], issue: tooLong }]
          return []
        })
      },
      { toJsonSchema: () => ({ maxProperties: 50 }) }
    )
  )
