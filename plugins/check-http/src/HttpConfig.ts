/** The fields of an http monitor. Descriptions are shown to users. */
import { Hostname } from "@kanmon/core/Hostname"
import { HttpHeaders } from "@kanmon/core/HttpHeaders"
import { shownWhen } from "@kanmon/core/ShownWhen"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { isIP } from "node:net"
import { boundedText, filledText, filteredText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import * as AssertionFields from "./AssertionFields.ts"
import * as Authentication from "./Authentication.ts"
import * as RequestBody from "./RequestBody.ts"
import { StatusCodes } from "./StatusCodes.ts"

const withDefault = <S extends Schema.Constraint>(schema: S, value: S["Encoded"]) =>
  Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)

/** Client certificates and their keys. Their content is examined in another process: see `ClientKey`. */
const pem = (what: string, maxLength: number) =>
  filteredText(
    maxLength,
    (text) =>
      /^\s*-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----\s*$/.test(text) ? undefined : `Expected ${what} in PEM`,
    { toJsonSchema: () => ({ maxLength }) }
  )

const isHostname = Schema.is(Hostname)

const urlProblem = (text: string): string | undefined => {
  if (text.length > 2048) return "Expected at most 2048 characters"
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text)) {
    return "Expected a URL that starts with http:// or https://"
  }
  // The parser tolerates a missing slash and line breaks; users could not tell what is checked then.
  if (!/^https?:\/\/[^\s/\\][^\s]*$/i.test(text) || !URL.canParse(text)) {
    return "Expected a full URL such as https://example.org/health"
  }
  const { hostname, port } = new URL(text)
  if (port === "0") return "Expected a port from 1 to 65535"
  return isHostname(hostname.replace(/^\[|\]$/g, "")) ? undefined : `Expected a host name instead of ${hostname}`
}

const Url = filteredText(2048, urlProblem, { toJsonSchema: () => ({ format: "uri", maxLength: 2048 }) }).annotate({
  description: "Full URL. A username and password in it are sent as basic authentication."
})

const Headers = HttpHeaders().annotate({ description: "Request headers. Their values are not logged." })

/** Whether it compiles is examined in another process: see `Expressions`. */
const Expression = boundedText(2000)

const Text = filledText(65_536)
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
    Text.annotate({
      description: "Must appear in the first MiB of the decoded response body"
    })
  ),
  bodyNotContains: Schema.optionalKey(
    Text.annotate({
      description: "Must not appear in the first MiB of the decoded response body"
    })
  ),
  bodyMatches: Schema.optionalKey(
    Expression.annotate({
      description: "Regular expression (RE2 syntax) that must match the first MiB of the decoded response body"
    })
  ),
  jsonPath: Schema.optionalKey(
    Expression.annotate({
      description: "JSONPath (RFC 9535) that must select something in the response body"
    })
  ),
  jsonEquals: Schema.optionalKey(
    Schema.Json.annotate({ description: "Value that jsonPath must select", ...shownWhen("jsonPath") })
  ),
  jsonAssertions: Schema.optionalKey(AssertionFields.JsonAssertions),
  headerAssertions: Schema.optionalKey(AssertionFields.HeaderAssertions),
  headers: Schema.optionalKey(Headers),
  body: Schema.optionalKey(RequestBody.Body),
  bodyType: Schema.optionalKey(RequestBody.BodyType),
  ...Authentication.fields,
  clientCertificate: Schema.optionalKey(
    pem("a certificate", 65_536).annotate({
      description:
        "Client certificate in PEM, followed by its intermediates: sent when the server asks for one (mutual TLS). Only the monitor's own origin gets it"
    })
  ),
  clientKey: Schema.optionalKey(
    pem("a private key", 16_384).annotate({
      description: "Private key of the client certificate in PEM. Write-only",
      ...shownWhen("clientCertificate")
    })
  ),
  clientKeyPassphrase: Schema.optionalKey(
    filledText(1024).annotate({
      description: "Passphrase of an encrypted `clientKey`. Write-only",
      ...shownWhen("clientKey")
    })
  ),
  dnsOverride: Schema.optionalKey(
    filteredText(45, (text) => (isIP(text) === 0 || text.includes("%") ? "Expected an IP address" : undefined), {
      message: "Expected an IP address",
      toJsonSchema: () => ({ maxLength: 45 })
    }).annotate({
      description:
        "IP address to connect to instead of looking up the URL's host name. `Host`, SNI and the certificate's name stay those of the URL; redirects to other hosts are looked up"
    })
  ),
  httpVersion: withDefault(
    Schema.Literals(["auto", "1.1"]).annotate({
      description: "`auto`: HTTP/2 where the server of an https URL offers it (ALPN), else HTTP/1.1"
    }),
    "auto"
  ),
  followRedirects: withDefault(Schema.Boolean.annotate({ description: "Follow up to 10 redirects" }), true),
  verifyTls: withDefault(
    Schema.Boolean.annotate({ description: "A certificate that is not valid fails the check" }),
    true
  ),
  tlsMinVersion: Schema.optionalKey(
    Schema.Literals(["1.0", "1.1", "1.2", "1.3"]).annotate({
      description:
        "Oldest version of TLS that is accepted; 1.2 without it. `1.0` and `1.1` are deprecated (RFC 8996), and accept the short keys and old signatures of the servers that need them"
    })
  ),
  invert: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "The monitor is up while its check fails: on an unexpected status, a missing text, no connection or a timeout. A check that could not run, or that had a forbidden target, is not inverted"
    })
  ),
  degradedThreshold: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 120_000 })).annotate({
      description: "Milliseconds above which a passing check counts as degraded"
    })
  ),
  sslExpiryThreshold: withDefault(
    Days.annotate({ description: "Days before its expiry at which a certificate counts as expiring" }),
    14
  ),
  domainExpiryThreshold: withDefault(
    Days.annotate({ description: "Days before its expiry at which a domain counts as expiring" }),
    30
  )
})
export type HttpConfig = typeof HttpConfig.Type

/** Rules across fields. */
export const validate = (config: HttpConfig): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  errors.push(
    ...RequestBody.problems(config.body, config.bodyType, config.method),
    ...Authentication.problems(config),
    ...AssertionFields.problems(config.jsonAssertions ?? [], config.headerAssertions ?? []),
    ...clientCertificateProblems(config)
  )
  if (config.dnsOverride !== undefined && isIP(new URL(config.url).hostname.replace(/^\[|\]$/g, "")) !== 0) {
    errors.push({ path: "dnsOverride", message: "Has no effect: the URL has an address instead of a name" })
  }
  if (config.jsonEquals !== undefined && config.jsonPath === undefined) {
    errors.push({ path: "jsonPath", message: "Required with jsonEquals" })
  }
  if (config.invert === true && config.degradedThreshold !== undefined) {
    errors.push({ path: "degradedThreshold", message: "Has no effect with invert: a check that passes is down" })
  }
  const readsBody =
    config.bodyContains ?? config.bodyNotContains ?? config.bodyMatches ?? config.jsonPath ?? config.jsonAssertions?.[0]
  if (config.method === "HEAD" && readsBody !== undefined) {
    errors.push({ path: "method", message: "The response to a HEAD request has no body" })
  }
  return errors
}

const clientCertificateProblems = (config: HttpConfig): ReadonlyArray<FieldError> => {
  const { clientCertificate, clientKey, clientKeyPassphrase } = config
  if (clientKey !== undefined && clientCertificate === undefined)
    return [{ path: "clientCertificate", message: "Required with clientKey" }]
  if (clientKeyPassphrase !== undefined && clientKey === undefined)
    return [{ path: "clientKey", message: "Required with clientKeyPassphrase" }]
  if (clientCertificate === undefined) return []
  if (clientKey === undefined) return [{ path: "clientKey", message: "Required with clientCertificate" }]
  if (!config.url.toLowerCase().startsWith("https:"))
    return [{ path: "clientCertificate", message: "Expected a URL that starts with https://" }]
  return []
}
