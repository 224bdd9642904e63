/** Uptime Kuma's monitors of web addresses: `http`, `keyword` and `json-query`. */
import { flag, type Loose, number, objectIn, text } from "./Backup.ts"
import { type Context, hasField } from "./Context.ts"
import { address, type Draft, headers, Secret } from "../Secret.ts"
import { type Converted, leftOut, look, type Said } from "./Draft.ts"
import { ownHeaders } from "./OwnHeaders.ts"

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])
const withBody = new Set(["POST", "PUT", "PATCH"])

/** The fields of an http monitor. `authMethod` selects the authentication. */
export const convert = (monitor: Loose, { certificateDays, domainDays, kinds }: Context): Converted => {
  const notes: Array<Said> = []
  const method = (text(monitor, "method") || "GET").toUpperCase()
  if (!methods.has(method)) return leftOut(`there is no check with the method ${method}`)
  const auth = credentials(monitor, (field) => hasField(kinds.checks.get("http"), field))
  if (typeof auth === "string") return leftOut(auth)
  const redirects = number(monitor, "maxredirects") ?? 10
  if (redirects > 0 && redirects !== 10) notes.push(`up to 10 redirects are followed, not ${redirects}`)
  if (monitor["proxyId"] !== null && monitor["proxyId"] !== undefined)
    notes.push(look("it is asked directly, without its proxy: check that a probe can reach it"))
  notes.push(...lost(monitor))
  const draft: Draft = {
    type: "http",
    url: address(text(monitor, "url")),
    ...(method === "GET" ? {} : { method }),
    ...statuses(monitor, notes),
    ...(redirects === 0 ? { followRedirects: false } : {}),
    ...(flag(monitor, "ignoreTls") ? { verifyTls: false } : {}),
    ...auth.fields,
    ...request(monitor, method, auth.header, notes),
    ...expectation(monitor, method, hasField(kinds.checks.get("http"), "jsonAssertions"), notes),
    ...threshold(monitor, "expiryNotification", "sslExpiryThreshold", certificateDays),
    ...threshold(monitor, "domainExpiryNotification", "domainExpiryThreshold", domainDays)
  }
  return { drafts: [draft], notes }
}

/** The days before an expiry; none where the notice was switched off. Versions without the notice leave the default. */
const threshold = (monitor: Loose, notice: string, field: string, days: number): Draft =>
  flag(monitor, notice) ? { [field]: days } : (monitor[notice] ?? null) === null ? {} : { [field]: 0 }

/** No check is limited to IPv4 or IPv6. */
export const familyNotes = (monitor: Loose): ReadonlyArray<Said> =>
  text(monitor, "ipFamily") === "" ? [] : [look(`it is not limited to ${text(monitor, "ipFamily")}`)]

/** Settings without a counterpart. */
const lost = (monitor: Loose): ReadonlyArray<Said> => [
  ...(flag(monitor, "cacheBust") ? ["no random parameter is added to its URL (cache bust)"] : []),
  ...(flag(monitor, "retryOnlyOnStatusCodeFailure") ? ["every failure is retried, not only a wrong status code"] : []),
  ...familyNotes(monitor),
  ...(text(monitor, "tlsCa") === ""
    ? []
    : [
        look(
          "its own certificate authority is not trusted here, so its checks fail: turn off the check of the certificate in the monitor"
        )
      ])
]

/** How a monitor signs in: fields of its own where the check has them, else a header. */
interface Credentials {
  readonly fields: Draft
  /** The value of the header `authorization`. */
  readonly header?: Secret
}

/** The credentials of a monitor, or why it cannot sign in. */
const credentials = (monitor: Loose, has: (field: string) => boolean): Credentials | string => {
  const user = text(monitor, "basic_auth_user")
  const password = typeof monitor["basic_auth_pass"] === "string" ? monitor["basic_auth_pass"] : ""
  const method = text(monitor, "authMethod") || (user === "" ? "" : "basic")
  const own = Object.keys(objectIn(monitor["headers"])).some((header) => header.toLowerCase() === "authorization")
  const byField = has("authentication") && !own
  switch (method) {
    case "":
    case "none":
      return { fields: {} }
    case "basic":
      return byField && user !== "" && password !== "" && !user.includes(":")
        ? { fields: { authentication: "basic", username: user, password: new Secret(password) } }
        : { fields: {}, header: new Secret(Buffer.from(`${user}:${password}`).toString("base64"), "Basic ") }
    case "bearer": {
      const token = text(monitor, "bearer_token")
      return byField && token !== ""
        ? { fields: { authentication: "bearer", token: new Secret(token) } }
        : { fields: {}, header: new Secret(token, "Bearer ") }
    }
    case "mtls":
      if (!has("clientCertificate")) break
      return {
        fields: {
          clientCertificate: text(monitor, "tlsCert"),
          clientKey: new Secret(text(monitor, "tlsKey"))
        }
      }
  }
  return `signing in by ${method} is not possible here`
}

const statuses = (monitor: Loose, notes: Array<Said>): Draft => {
  const given = monitor["accepted_statuscodes"]
  const all = (Array.isArray(given) ? given : []).map(String)
  const known = all.filter((code) => /^[1-5]\d\d(-[1-5]\d\d)?$/.test(code))
  if (known.length < all.length)
    notes.push(look(`these accepted status codes are none: ${all.filter((code) => !known.includes(code)).join(", ")}`))
  if (all.length === 0 && given !== undefined && given !== null)
    notes.push(look("it accepted no status code; the usual ones are accepted here"))
  if (known.length === 0 || (known.length === 1 && known[0] === "200-299")) return {}
  const codes = known.map((code) => (code.includes("-") ? code : Number(code)))
  return { expectedStatus: codes.length === 1 ? codes[0]! : codes }
}

const contentTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  xml: "text/xml; charset=utf-8",
  form: "application/x-www-form-urlencoded"
}

/** The request: headers, a signature, a body. */
const request = (monitor: Loose, method: string, auth: Secret | undefined, notes: Array<Said>): Draft => {
  const body = typeof monitor["body"] === "string" && monitor["body"].trim() !== "" ? monitor["body"] : undefined
  const sent = body !== undefined && withBody.has(method)
  if (body !== undefined && !sent) notes.push(look(`a ${method} request carries no body here`))
  const own = ownHeaders(monitor["headers"], "monitor", notes)
  const has = (name: string): boolean => Object.keys(own).some((header) => header.toLowerCase() === name)
  const contentType = contentTypes[text(monitor, "httpBodyEncoding") || "json"]
  const all: Draft = {
    ...(sent && contentType !== undefined && !has("content-type") ? { "content-type": contentType } : {}),
    ...(auth === undefined || has("authorization") ? {} : { authorization: auth }),
    ...headers(own)
  }
  return {
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(sent ? { body: new Secret(body) } : {})
  }
}

/** Names with dots between them, which JSONata and JSONPath write alike. */
const plainPath = /^\$?\.?([A-Za-z_]\w*(\.[A-Za-z_]\w*)*)$/

/** The expectation of the response. */
const expectation = (monitor: Loose, method: string, asserts: boolean, notes: Array<Said>): Draft => {
  const type = text(monitor, "type")
  if (type === "http") return {}
  if (method === "HEAD") {
    notes.push(
      look("the answer to a HEAD request has no body to look into: choose GET, and enter what the answer contains")
    )
    return {}
  }
  if (type === "keyword") {
    const keyword = typeof monitor["keyword"] === "string" ? monitor["keyword"] : ""
    if (keyword === "") return {}
    return flag(monitor, "invertKeyword") ? { bodyNotContains: keyword } : { bodyContains: keyword }
  }
  const path = plainPath.exec(text(monitor, "jsonPath"))?.[1]
  const operator = text(monitor, "jsonPathOperator") || "=="
  const value = text(monitor, "expectedValue")
  const ours = path === undefined ? undefined : operators[operator]
  const compared = ours === undefined ? undefined : ours.numeric ? number(monitor, "expectedValue") : literal(value)
  if (path !== undefined && operator === "==") {
    notes.push(`its query is $.${path} now and compares JSON: 1 and "1" are not the same`)
    return { jsonPath: `$.${path}`, jsonEquals: literal(value) }
  }
  if (ours === undefined || compared === undefined || !asserts) {
    notes.push(
      look(
        `its query is not checked, only the status of its answer: ${text(monitor, "jsonPath")} ${operator} ${value} (JSONata). Enter a JSON path or JSON assertions in the monitor`
      )
    )
    return {}
  }
  return { jsonAssertions: [{ jsonPath: `$.${path}`, operator: ours.name, value: compared }] }
}

/** How a query compares. */
const operators: Readonly<Record<string, { readonly name: string; readonly numeric: boolean }>> = {
  "!=": { name: "notEquals", numeric: false },
  ">": { name: "greaterThan", numeric: true },
  ">=": { name: "greaterThanOrEqual", numeric: true },
  "<": { name: "lessThan", numeric: true },
  "<=": { name: "lessThanOrEqual", numeric: true },
  contains: { name: "contains", numeric: false }
}

/** They compare texts; a text that reads as a number or as yes and no most likely is one. */
const literal = (value: string): string | number | boolean => {
  if (value === "true" || value === "false") return value === "true"
  return value !== "" && String(Number(value)) === value ? Number(value) : value
}
