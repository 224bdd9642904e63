/** The fields of an http monitor. Descriptions are product text. */
import { Hostname } from "@kanmon/core/Hostname"
import { HttpHeaders } from "@kanmon/core/HttpHeaders"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { Effect, Schema } from "effect"
import * as JsonQuery from "./JsonQuery.ts"
import * as Pattern from "./Pattern.ts"
import { StatusCodes } from "./StatusCodes.ts"

const withDefault = <S extends Schema.Constraint>(schema: S, value: S["Encoded"]) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)

const isHostname = Schema.is(Hostname)

const urlProblem = (text: string): string | undefined => {
  if (text.length > 2048) return "Expected at most 2048 characters"
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text)) {
    return "Expected a URL that begins with http:// or https://"
  }
  // The parser forgives a missing slash and drops line breaks; a person would not know what is checked then.
  if (!/^https?:\/\/[^\s/\\][^\s]*$/i.test(text) || !URL.canParse(text)) {
    return "Expected a full URL such as https://example.org/health"
  }
  const { hostname, port } = new URL(text)
  if (port === "0") return "Expected a port from 1 to 65535"
  return isHostname(hostname.replace(/^\[|\]$/g, "")) ? undefined : `Expected a host name instead of ${hostname}`
}

const Url = Schema.String.check(
  Schema.makeFilter(urlProblem, { toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) })
).annotate({
  description: "Full URL. A user and password in it are sent as basic authentication."
})

const Headers = HttpHeaders().annotate({ description: "Request headers. Their values are kept out of logs." })

const compiles = (what: string, compile: (text: string) => unknown) =>
  Schema.makeFilter(
    (text: string) => {
      if (text.length > 2000) return "Expected at most 2000 characters"
      try {
        compile(text)
        return undefined
      } catch (error) {
        return `Expected ${what}: ${(error as Error).message}`
      }
    },
    { toJsonSchema: () => ({ maxLength: 2000 }) }
  )

const Text = Schema.String.check(Schema.isMaxLength(65_536, { message: "Expected at most 65536 characters" }))
const Days = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: 365 }, { message: "Expected whole days from 0 to 365" })
)

export const HttpConfig = Schema.Struct({
  url: Url,
  method: withDefault(
    Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).annotate({ description: "Request method" }),
    "GET"
  ),
  expectedStatus: withDefault(StatusCodes, "200-299"),
  bodyContains: Schema.optionalKey(
    Text.check(Schema.isMinLength(1)).annotate({
      description: "Must appear in the first MiB of the decoded response body"
    })
  ),
  bodyNotContains: Schema.optionalKey(
    Text.check(Schema.isMinLength(1)).annotate({
      description: "Must not appear in the first MiB of the decoded response body"
    })
  ),
  bodyMatches: Schema.optionalKey(
    Schema.String.check(compiles("a regular expression in RE2 syntax", Pattern.compile)).annotate({
      description: "Regular expression (RE2 syntax) that must match the first MiB of the decoded response body"
    })
  ),
  jsonPath: Schema.optionalKey(
    Schema.String.check(compiles("a JSONPath (RFC 9535)", JsonQuery.compile)).annotate({
      description: "JSONPath (RFC 9535) that must find something in the response body"
    })
  ),
  jsonEquals: Schema.optionalKey(Schema.Json.annotate({ description: "What jsonPath must find" })),
  headers: Schema.optionalKey(Headers),
  body: Schema.optionalKey(Text.annotate({ description: "Request body for POST, PUT and PATCH" })),
  followRedirects: withDefault(Schema.Boolean.annotate({ description: "Follow up to 10 redirects" }), true),
  verifyTls: withDefault(
    Schema.Boolean.annotate({ description: "A certificate that is not valid fails the check" }),
    true
  ),
  invert: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "The monitor is up while its check fails: on an unexpected status, a missing text, no connection or a timeout. A check that could not be made, or whose target may not be checked, is not turned around"
    })
  ),
  degradedThreshold: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120_000 })).annotate({
      description: "Milliseconds above which a passing check counts as degraded"
    })
  ),
  sslExpiryThreshold: withDefault(
    Days.annotate({ description: "Days before its end at which a certificate is expiring" }),
    14
  ),
  domainExpiryThreshold: withDefault(
    Days.annotate({ description: "Days before its end at which a domain is expiring" }),
    30
  )
})
export type HttpConfig = typeof HttpConfig.Type

/** Rules that span several fields. */
export const validate = (config: HttpConfig): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  if (config.body !== undefined && !["POST", "PUT", "PATCH"].includes(config.method)) {
    errors.push({ path: "body", message: `A ${config.method} request carries no body` })
  }
  if (config.jsonEquals !== undefined && config.jsonPath === undefined) {
    errors.push({ path: "jsonPath", message: "Required with jsonEquals" })
  }
  if (config.invert === true && config.degradedThreshold !== undefined) {
    errors.push({ path: "degradedThreshold", message: "Has no effect with invert: a check that passes is down then" })
  }
  const readsBody = config.bodyContains ?? config.bodyNotContains ?? config.bodyMatches ?? config.jsonPath
  if (config.method === "HEAD" && readsBody !== undefined) {
    errors.push({ path: "method", message: "A HEAD request has no response body to look into" })
  }
  return errors
}
