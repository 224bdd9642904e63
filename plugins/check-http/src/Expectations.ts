/** What a monitor expects of a response body. */
import { Schema, Option, Equal } from "effect"
import { jsonpath } from "json-p3"
import { RE2JS } from "re2js"
import type { HttpConfig } from "./HttpConfig.ts"

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Why the body is not as expected; null when it is. */
export const mismatch = (
  config: HttpConfig,
  body: Buffer
): { readonly code: string; readonly message: string } | null => {
  if (config.bodyContains !== undefined && !body.includes(config.bodyContains)) {
    return { code: "body_mismatch", message: `The body does not contain ${quote(config.bodyContains)}` }
  }
  if (config.bodyMatches !== undefined && !RE2JS.compile(config.bodyMatches).matcher(body.toString("utf8")).find()) {
    return { code: "body_mismatch", message: `The body does not match ${quote(config.bodyMatches)}` }
  }
  return config.jsonPath === undefined ? null : jsonMismatch(config.jsonPath, config.jsonEquals, body)
}

const jsonMismatch = (path: string, expected: Schema.Json | undefined, body: Buffer) => {
  const document = parse(body.toString("utf8"))
  if (Option.isNone(document)) return { code: "json_mismatch", message: "The body is not JSON" }
  const found = jsonpath
    .compile(path)
    .query(document.value as never)
    .values() as ReadonlyArray<unknown>
  if (found.length === 0) return { code: "json_mismatch", message: `${path} finds nothing in the body` }
  if (expected === undefined || found.some((value) => Equal.equals(value, expected))) return null
  return {
    code: "json_mismatch",
    message: `${path} is ${quote(JSON.stringify(found[0]))}; expected ${quote(JSON.stringify(expected))}`
  }
}

const quote = (text: string): string => (text.length > 100 ? `"${text.slice(0, 100)}…"` : `"${text}"`)
