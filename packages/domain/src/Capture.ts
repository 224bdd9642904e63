/**
 * A capture: the response of a target to a failed check. The target controls the response, so it is stored as bounded
 * text without control characters, which is safe for terminals and pages.
 */
import { Schema } from "effect"

// Do not raise these limits: engines refuse observations with a capture above the limits of their own version.
/** Bytes of the body (UTF-8) that are kept. */
export const bodyBytes = 4096
/** Headers that are kept, and the characters of each. */
export const maxHeaders = 64
const nameLength = 100
const valueLength = 512
const urlLength = 2048
const lineLength = 200
const addressLength = 100

/** How many captures are kept of one outage, and for how many days. */
export const maxOfOutage = 20
export const keptDays = 30

const text = (length: number) => Schema.String.check(Schema.isMaxLength(length))

export const Capture = Schema.Struct({
  finalUrl: text(urlLength).annotate({
    description: "The URL that answered, after redirects. Values of its query are masked"
  }),
  statusLine: Schema.NullOr(text(lineLength)).annotate({
    description: "Status code and reason; null when there was no answer",
    examples: ["503 Service Unavailable"]
  }),
  headers: Schema.Array(Schema.Struct({ name: text(nameLength), value: text(valueLength) }))
    .check(Schema.isMaxLength(maxHeaders))
    .annotate({
      description: `At most ${maxHeaders} headers of the answer. Cookies, credentials and secrets of the monitor are masked`
    }),
  body: Schema.NullOr(text(bodyBytes)).annotate({
    description:
      "The first 4 KiB of the decoded body as text, never to be interpreted. Control characters are replaced by symbols, secrets of the monitor are masked. Null when there was no answer"
  }),
  bodyTruncated: Schema.Boolean.annotate({ description: "Whether the body is longer than what is kept" }),
  remoteAddress: Schema.NullOr(text(addressLength)).annotate({ description: "The address that was connected to" })
})
export type Capture = typeof Capture.Type

/** A capture before it is {@link bounded}. */
export const Unbounded: Schema.Codec<Capture> = Schema.Struct({
  finalUrl: Schema.String,
  statusLine: Schema.NullOr(Schema.String),
  headers: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
  body: Schema.NullOr(Schema.String),
  bodyTruncated: Schema.Boolean,
  remoteAddress: Schema.NullOr(Schema.String)
})

/** Characters that move a cursor, colour a terminal, end a string, or reorder text: controls, and controls of direction. */
// oxlint-disable-next-line no-control-regex -- these are the ones that are replaced
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** The symbol that Unicode has for a control character, where it has one. */
const symbolOf = (control: string): string => {
  const code = control.charCodeAt(0)
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD"
}

/** Text without control characters other than tabs and line feeds, and without halves of surrogate pairs. */
export const printable = (given: string): string =>
  given.replaceAll("\r\n", "\n").toWellFormed().replaceAll(controls, symbolOf)

const encoder = new TextEncoder()

/** The longest beginning of a text that takes at most so many bytes, and ends with a whole character. */
export const firstBytes = (given: string, bytes: number): string => {
  const { read } = encoder.encodeInto(given, new Uint8Array(bytes))
  return given.slice(0, read)
}

const line = (given: string, length: number): string => {
  const clean = printable(given).replaceAll("\n", "\u240A")
  return clean.length > length ? clean.slice(0, length).toWellFormed() : clean
}

/** The capture within its limits. */
export const bounded = ({ body, bodyTruncated, finalUrl, headers, remoteAddress, statusLine }: Capture): Capture => {
  const whole = body === null ? null : printable(body)
  const kept = whole === null ? null : firstBytes(whole, bodyBytes)
  return {
    finalUrl: line(finalUrl, urlLength),
    statusLine: statusLine === null ? null : line(statusLine, lineLength),
    headers: headers
      .slice(0, maxHeaders)
      .map(({ name, value }) => ({ name: line(name, nameLength), value: line(value, valueLength) })),
    body: kept,
    bodyTruncated: bodyTruncated || kept !== whole,
    remoteAddress: remoteAddress === null ? null : line(remoteAddress, addressLength)
  }
}
