/** Uptime Kuma's monitors of web addresses: `http`, `keyword` and `json-query`. */
import { flag, type Loose, number, objectIn, text } from "./Backup.ts"
import { address, type Converted, type Draft, headers, leftOut, Secret } from "./Draft.ts"

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"])
const withBody = new Set(["POST", "PUT", "PATCH"])

/** The fields of an http monitor. Whether somebody may sign in, and how, is decided by `authMethod`. */
export const convert = (monitor: Loose): Converted => {
  const notes: Array<string> = []
  const method = (text(monitor, "method") || "GET").toUpperCase()
  if (!methods.has(method)) return leftOut(`there is no check with the method ${method}`)
  const auth = text(monitor, "authMethod") || (text(monitor, "basic_auth_user") === "" ? "" : "basic")
  if (auth !== "" && auth !== "basic") return leftOut(`signing in by ${auth} is not possible here`)
  const redirects = number(monitor, "maxredirects") ?? 10
  if (redirects > 0 && redirects !== 10) notes.push(`up to 10 redirects are followed, not ${redirects}`)
  if (monitor["proxyId"] !== null && monitor["proxyId"] !== undefined)
    notes.push("it is asked directly, without its proxy")
  const draft: Draft = {
    type: "http",
    url: address(text(monitor, "url")),
    ...(method === "GET" ? {} : { method }),
    ...statuses(monitor, notes),
    ...(redirects === 0 ? { followRedirects: false } : {}),
    ...(flag(monitor, "ignoreTls") ? { verifyTls: false } : {}),
    ...request(monitor, method, auth, notes),
    ...expectation(monitor, method, notes)
  }
  return { drafts: [draft], notes }
}

const statuses = (monitor: Loose, notes: Array<string>): Draft => {
  const given = monitor["accepted_statuscodes"]
  const all = (Array.isArray(given) ? given : []).map(String)
  const known = all.filter((code) => /^[1-5]\d\d(-[1-5]\d\d)?$/.test(code))
  if (known.length < all.length)
    notes.push(`these accepted status codes are none: ${all.filter((code) => !known.includes(code)).join(", ")}`)
  if (known.length === 0 || (known.length === 1 && known[0] === "200-299")) return {}
  const codes = known.map((code) => (code.includes("-") ? code : Number(code)))
  return { expectedStatus: codes.length === 1 ? codes[0]! : codes }
}

const contentTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  xml: "text/xml; charset=utf-8",
  form: "application/x-www-form-urlencoded"
}

/** What is sent: headers, a signature, a body. */
const request = (monitor: Loose, method: string, auth: string, notes: Array<string>): Draft => {
  const body = typeof monitor["body"] === "string" && monitor["body"].trim() !== "" ? monitor["body"] : undefined
  const sent = body !== undefined && withBody.has(method)
  if (body !== undefined && !sent) notes.push(`a ${method} request carries no body here`)
  const own = objectIn(monitor["headers"])
  const has = (name: string): boolean => Object.keys(own).some((header) => header.toLowerCase() === name)
  const contentType = contentTypes[text(monitor, "httpBodyEncoding") || "json"]
  const user = `${text(monitor, "basic_auth_user")}:${text(monitor, "basic_auth_pass")}`
  const all: Draft = {
    ...(sent && contentType !== undefined && !has("content-type") ? { "content-type": contentType } : {}),
    ...(auth === "basic" && !has("authorization")
      ? { authorization: new Secret(Buffer.from(user).toString("base64"), "Basic ") }
      : {}),
    ...headers(own)
  }
  return {
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(sent ? { body: new Secret(body) } : {})
  }
}

/** Names with dots between them: what JSONata and JSONPath write alike. */
const plainPath = /^\$?\.?([A-Za-z_]\w*(\.[A-Za-z_]\w*)*)$/

/** What has to be in the answer. */
const expectation = (monitor: Loose, method: string, notes: Array<string>): Draft => {
  const type = text(monitor, "type")
  if (type === "http") return {}
  if (method === "HEAD") {
    notes.push("the answer to a HEAD request has no body to look into")
    return {}
  }
  if (type === "keyword") {
    const keyword = typeof monitor["keyword"] === "string" ? monitor["keyword"] : ""
    if (!flag(monitor, "invertKeyword")) return keyword === "" ? {} : { bodyContains: keyword }
    notes.push("that its keyword must not appear is not checked")
    return {}
  }
  const path = plainPath.exec(text(monitor, "jsonPath"))?.[1]
  const operator = text(monitor, "jsonPathOperator") || "=="
  if (path === undefined || operator !== "==") {
    notes.push(
      `what its query asks is not checked: ${text(monitor, "jsonPath")} ${operator} (JSONata); see jsonPath and bodyMatches`
    )
    return {}
  }
  notes.push(`its query is $.${path} now and compares JSON: 1 and "1" are not the same`)
  return { jsonPath: `$.${path}`, jsonEquals: literal(text(monitor, "expectedValue")) }
}

/** They compare texts; a text that reads as a number or as yes and no most likely is one. */
const literal = (value: string): string | number | boolean => {
  if (value === "true" || value === "false") return value === "true"
  return value !== "" && String(Number(value)) === value ? Number(value) : value
}
