/** Notes of users about a monitor for each other: its place, instructions for a failure, and links. */
import { Schema } from "effect"
import { filteredText, patternText } from "./BoundedText.ts"
import { line } from "./Line.ts"

const depth = 4
const segment = String.raw`(?=[^\s/])[^/\u0000-\u001F\u007F-\u009F]{0,63}[^\s/\u0000-\u001F\u007F-\u009F]`

/** A path of up to four names, such as `Shop/Payments`. */
export const GroupPath = patternText(
  depth * (2 * 64 + 1),
  new RegExp(`^${segment}(?:/${segment}){0,${depth - 1}}$`, "u"),
  `Expected a path of 1 to ${depth} names of at most 64 characters, without spaces around them, such as Shop/Payments`
)

const maxDescription = 4096
const encoder = new TextEncoder()

const tooLong = `Expected at most ${maxDescription} bytes`

/** Markdown of at most 4,096 bytes as UTF-8. */
export const Description = filteredText(
  maxDescription,
  (text) => (encoder.encode(text).length <= maxDescription ? undefined : tooLong),
  { message: tooLong, toJsonSchema: () => ({ maxLength: maxDescription }) }
)

const noAddress = "Expected an http or https URL of at most 2048 characters"
const webAddress = filteredText(
  2048,
  (text) => (/^https?:\/\/[^\s/\\][^\s\\]*$/i.test(text) && URL.canParse(text) ? undefined : noAddress),
  {
    message: noAddress,
    toJsonSchema: () => ({ format: "uri", pattern: "^[hH][tT][tT][pP][sS]?://", maxLength: 2048 })
  }
)

/** A link to a runbook, a dashboard or another page. */
const MonitorLink = Schema.Struct({
  title: line(200).annotate({ description: "Text of the link" }),
  url: webAddress.annotate({ description: "An http or https URL" })
})

/** At most ten of them. */
export const MonitorLinks = Schema.Array(MonitorLink).check(
  Schema.isMaxLength(10, { message: "Expected at most 10 links" })
)
