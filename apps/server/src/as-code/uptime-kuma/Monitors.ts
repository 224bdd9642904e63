/** Uptime Kuma's monitors as ours, as far as there is a check for them. */
import { isIP } from "node:net"
import { flag, type Loose, number, text } from "./Backup.ts"
import { type Converted, cut, type Draft, leftOut } from "./Draft.ts"
import * as HttpMonitors from "./HttpMonitors.ts"

/** Checks that wait for a port at least. */
const withPort = "there is no such check here; a tcp monitor can watch its port"

/** Why types are left out, where more can be said than that there is no such check. */
const reasons: Readonly<Record<string, string>> = {
  group: "groups are not monitors here; what was in it is carried over by itself",
  "grpc-keyword": withPort,
  mqtt: withPort,
  sqlserver: withPort,
  postgres: withPort,
  mysql: withPort,
  mongodb: withPort,
  radius: withPort,
  redis: withPort,
  "kafka-producer": withPort,
  rabbitmq: withPort,
  smtp: withPort,
  gamedig: withPort,
  "real-browser": "nothing here opens pages in a browser; an http monitor can watch the address",
  "websocket-upgrade": "there is no such check here; an http monitor can watch the address"
}

/** The entry of a monitor, without its alerts. */
export const convert = (monitor: Loose): Converted => {
  if (flag(monitor, "upsideDown")) return leftOut("nothing here is well when its target is down (upside down mode)")
  const type = text(monitor, "type")
  const reader = readers[type]
  if (reader === undefined) return leftOut(`its type ${type}: ${reasons[type] ?? "there is no such check here"}`)
  const { drafts, notes } = reader(monitor)
  const timing = type === "push" ? { interval: intervalOf(monitor) } : timingOf(monitor)
  return {
    drafts: drafts.map((draft) => ({
      name: cut(text(monitor, "name") || `Monitor ${text(monitor, "id")}`, 200),
      ...draft,
      ...timing,
      ...(flag(monitor, "active") ? {} : { paused: true })
    })),
    notes: drafts.length === 0 ? notes : [...notes, ...intervalNotes(monitor)]
  }
}

const shortest = 10
const longest = 86_400

const intervalOf = (monitor: Loose): number =>
  Math.min(longest, Math.max(shortest, Math.round(number(monitor, "interval") ?? 60)))

const timingOf = (monitor: Loose): Draft => {
  const interval = intervalOf(monitor)
  const timeout = number(monitor, "timeout") ?? 0
  return { interval, ...(timeout > 0 ? { timeout: Math.min(120, interval, Math.max(0.1, timeout)) } : {}) }
}

const intervalNotes = (monitor: Loose): ReadonlyArray<string> => {
  const wanted = number(monitor, "interval") ?? 60
  const interval = intervalOf(monitor)
  const retry = number(monitor, "retryInterval") ?? wanted
  const retries = number(monitor, "maxretries") ?? 0
  return [
    ...(interval === wanted ? [] : [`it is checked every ${interval} s, not every ${wanted} s`]),
    ...(retries > 0 && retry !== wanted && text(monitor, "type") !== "push"
      ? [`while it fails it is checked every ${interval} s, not every ${retry} s`]
      : [])
  ]
}

const only = (draft: Draft, notes: ReadonlyArray<string> = []): Converted => ({ drafts: [draft], notes })

/** Their addresses of hosts may stand in brackets. */
const host = (monitor: Loose): string => text(monitor, "hostname").replace(/^\[(.*)\]$/, "$1")

const port = (monitor: Loose): Converted => {
  const found = number(monitor, "port")
  return found === undefined ? leftOut("it has no port") : only({ type: "tcp", host: host(monitor), port: found })
}

const recordTypes = new Set(["A", "AAAA", "CNAME", "MX", "TXT"])

const dns = (monitor: Loose): Converted => {
  const recordType = text(monitor, "dns_resolve_type") || "A"
  if (!recordTypes.has(recordType)) return leftOut(`records of the type ${recordType} cannot be looked up here`)
  const [first = "", ...others] = text(monitor, "dns_resolve_server")
    .split(",")
    .map((server) => server.trim())
  const at = number(monitor, "port") ?? 53
  const usable = isIP(first) !== 0
  const server = at === 53 ? first : isIP(first) === 6 ? `[${first}]:${at}` : `${first}:${at}`
  const conditions = monitor["conditions"]
  return only({ type: "dns", hostname: host(monitor), recordType, ...(usable ? { resolver: server } : {}) }, [
    ...(first !== "" && !usable ? [`its name server ${first} is no address, so the probe's own is asked`] : []),
    ...(others.length > 0 ? [`one name server is asked, ${first}, not ${others.join(", ")} as well`] : []),
    ...(Array.isArray(conditions) && conditions.length > 0 ? ["its conditions are not checked; see expectedValue"] : [])
  ])
}

const leastGrace = 60
const mostGrace = 7 * 86_400

const push = (monitor: Loose): Converted => {
  const interval = intervalOf(monitor)
  const patience = (number(monitor, "maxretries") ?? 0) * (number(monitor, "retryInterval") ?? interval)
  const grace = patience > Math.max(leastGrace, interval / 10) ? { grace: Math.min(mostGrace, patience) } : {}
  return only({ type: "heartbeat", ...grace }, [
    "its job has to send to a new address, the heartbeatUrl of the monitor that kanmon apply makes"
  ])
}

const readers: Readonly<Record<string, (monitor: Loose) => Converted>> = {
  http: HttpMonitors.convert,
  keyword: HttpMonitors.convert,
  "json-query": HttpMonitors.convert,
  port,
  ping: (monitor) => only({ type: "ping", host: host(monitor) }),
  dns,
  push
}

/** How often and when somebody is told of it. */
export interface Alerting {
  readonly consecutiveFailures: number
  /** Minutes. */
  readonly resendEvery: number
}

export const alertingOf = (monitor: Loose): Alerting => {
  const retries = number(monitor, "maxretries") ?? 0
  // They count failures in a row, we count minutes.
  const again = (number(monitor, "resendInterval") ?? 0) * intervalOf(monitor)
  return {
    consecutiveFailures: text(monitor, "type") === "push" ? 1 : Math.min(100, retries + 1),
    resendEvery: Math.min(10_080, Math.ceil(again / 60))
  }
}
