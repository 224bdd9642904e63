/** Settings of a monitor that are not of their kind, such as an interval of letters: a default replaces them, which the report says. */
import { flag, type Loose, number, text } from "./Backup.ts"
import { cut, look, type Said } from "./Draft.ts"

const web = ["http", "keyword", "json-query"]

interface Expected {
  /** The types of monitors that have the setting; absent for all. */
  readonly types?: ReadonlyArray<string>
  /** The replacement, as a clause. */
  readonly instead: string
}

const numbers: Readonly<Record<string, Expected>> = {
  interval: { instead: "60 s is used" },
  retryInterval: { instead: "its usual interval is used after a failure, too" },
  maxretries: { instead: "it alerts after the first failure" },
  resendInterval: { instead: "its alert is not sent again" },
  maxredirects: { types: web, instead: "up to 10 redirects are followed" },
  // For the other types, a timeout that is not used is named with the values beyond what is possible.
  timeout: { types: ["port", "dns"], instead: "its checks end after the usual time here" },
  port: { types: ["dns"], instead: "its name server is asked on port 53" },
  packetSize: { types: ["ping"], instead: "its packets have 56 bytes" },
  ping_count: { types: ["ping"], instead: "one packet is sent" },
  ping_per_request_timeout: { types: ["ping"], instead: "a packet waits for its answer until the check ends" }
}

const flags: Readonly<Record<string, Expected>> = {
  active: { instead: "it is paused" },
  upsideDown: { instead: "it is up while its target is up" },
  ignoreTls: { types: web, instead: "certificates are checked" },
  invertKeyword: { types: ["keyword"], instead: "the answer has to contain the keyword" },
  expiryNotification: { types: web, instead: "there is no notice before its certificate expires" },
  domainExpiryNotification: { types: web, instead: "there is no notice before its domain expires" }
}

/** Their values may be secrets, and are not shown. */
const texts: Readonly<Record<string, Expected>> = {
  method: { types: web, instead: "GET is used" },
  keyword: { types: ["keyword"], instead: "only the status of its answer is checked" },
  body: { types: web, instead: "it sends no body" },
  httpBodyEncoding: { types: web, instead: "JSON is used" },
  authMethod: { types: web, instead: "it does not sign in in another way than by a user" },
  basic_auth_user: { types: web, instead: "it is empty" },
  basic_auth_pass: { types: web, instead: "it is empty" },
  bearer_token: { types: web, instead: "it is empty" },
  tlsCa: { types: web, instead: "it is ignored" },
  jsonPath: { types: ["json-query"], instead: "it is empty" },
  jsonPathOperator: { types: ["json-query"], instead: "== is used" },
  expectedValue: { types: ["json-query"], instead: "it is empty" },
  dns_resolve_type: { types: ["dns"], instead: "A is used" },
  dns_resolve_server: { types: ["dns"], instead: "the probe's own name server is asked" },
  description: { instead: "it has none" },
  parent: { instead: "it is in no group" }
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ""

const isFlag = (value: unknown): boolean =>
  flag({ value }, "value") || [false, 0, "0", "false"].includes(value as string)

const isText = (value: unknown): boolean => typeof value === "string" || typeof value === "number"

const shown = (value: unknown): string => cut(typeof value === "string" ? `"${value}"` : JSON.stringify(value), 40)

/** Notes about the settings of a monitor that are not of their kind. */
export const notes = (monitor: Loose): ReadonlyArray<Said> => {
  const type = text(monitor, "type")
  const wrong = (
    settings: Readonly<Record<string, Expected>>,
    isRight: (field: string) => boolean,
    words: (field: string) => string
  ) =>
    Object.entries(settings).flatMap(([field, { instead, types = [type] }]) =>
      isAbsent(monitor[field]) || !types.includes(type) || isRight(field) ? [] : [look(`${words(field)}: ${instead}`)]
    )
  return [
    ...(isAbsent(monitor["interval"]) ? [`it has no interval: ${numbers["interval"]!.instead}`] : []),
    ...wrong(
      numbers,
      (field) => number(monitor, field) !== undefined,
      (field) => `its ${field} is no number (${shown(monitor[field])})`
    ),
    ...wrong(
      flags,
      (field) => isFlag(monitor[field]),
      (field) => `its ${field} is neither yes nor no (${shown(monitor[field])})`
    ),
    ...wrong(
      texts,
      (field) => isText(monitor[field]),
      (field) => `its ${field} is no text`
    )
  ]
}
