/** Converts Uptime Kuma's monitors, as far as there is a check for them. */
import { isIP } from "node:net"
import { counted } from "@kanmon/domain/Counted"
import { longestPeriod } from "@kanmon/domain/Monitor"
import { flag, type Loose, number, objects, text } from "./Backup.ts"
import { type Context, hasField } from "./Context.ts"
import type { Draft } from "../Secret.ts"
import { type Converted, cut, cutBytes, leftOut, look, type Said } from "./Draft.ts"
import * as HttpMonitors from "./HttpMonitors.ts"
import * as Misread from "./Misread.ts"
import { refusedNotes } from "./PrivateTargets.ts"

/** Checks that wait for a port at least. */
const withPort = "there is no such check here; a tcp monitor can watch its port"
const withUrl = "there is no such check here; an http monitor can watch the address"

/** Why types are left out, where more can be said than that there is no such check. */
const reasons: Readonly<Record<string, string>> = {
  "grpc-keyword": withPort,
  mqtt: withPort,
  sqlserver: withPort,
  postgres: withPort,
  mysql: withPort,
  mongodb: withPort,
  oracledb: withPort,
  radius: withPort,
  redis: withPort,
  "kafka-producer": withPort,
  rabbitmq: withPort,
  smtp: withPort,
  gamedig: withPort,
  "sip-options": withPort,
  docker: "nothing here asks Docker; an http or tcp monitor can watch what the container serves",
  "real-browser": "nothing here opens pages in a browser; an http monitor can watch the address",
  "websocket-upgrade": withUrl,
  manual: "nothing here has a status that is set by hand; incidents tell visitors of a status page",
  "system-service": "nothing here asks the init system; the service can send to a heartbeat monitor",
  globalping: "checks run in your own regions here; create an http or ping monitor with regions"
}

/** The entry of a monitor, without its alerts. */
export const convert = (monitor: Loose, context: Context): Converted => {
  const type = text(monitor, "type")
  const reader = readers[type]
  if (reader === undefined) return leftOut(`its type ${type}: ${reasons[type] ?? "there is no such check here"}`)
  const { drafts, notes } = reader(monitor, context)
  if (drafts.length === 0) return { drafts, notes }
  const upsideDown = flag(monitor, "upsideDown")
  if (upsideDown && !drafts.every(({ type }) => hasField(context.kinds.checks.get(String(type)), "invert")))
    return leftOut(
      `a ${String(drafts[0]!["type"])} monitor here cannot be up while its target is down (upside down mode)`
    )
  const passive = type === "push"
  const { path, notes: ofGroup } = context.groups.pathOf(monitor)
  const description = text(monitor, "description")
  const kept = cutBytes(description, maxDescription)
  return {
    drafts: drafts.map((draft) => ({
      name: cut(text(monitor, "name") || `Monitor ${text(monitor, "id")}`, 200),
      ...draft,
      ...(passive ? { interval: intervalOf(monitor) } : timingOf(monitor)),
      ...(upsideDown ? { invert: true } : {}),
      ...(path === "" ? {} : { group: path }),
      ...(kept === "" ? {} : { description: kept }),
      ...(context.groups.isActive(monitor) ? {} : { paused: true })
    })),
    notes: [
      ...notes,
      ...Misread.notes(monitor),
      ...drafts.slice(0, 1).flatMap(refusedNotes),
      ...ofGroup,
      ...(kept === description ? [] : [`its description is cut to ${maxDescription} bytes`]),
      ...(flag(monitor, "active") && !context.groups.isActive(monitor) ? ["it is paused, because its group is"] : []),
      ...intervalNotes(monitor),
      ...alertingNotes(monitor)
    ]
  }
}

const maxDescription = 4096

const shortest = 10
/** Seconds. Jobs that send signals may run once a year; others are checked at least once a day. */
const longestOf = (monitor: Loose): number => (text(monitor, "type") === "push" ? longestPeriod : 86_400)

const intervalOf = (monitor: Loose): number =>
  Math.min(longestOf(monitor), Math.max(shortest, Math.round(number(monitor, "interval") ?? 60)))

/** After a failure, theirs is checked again after its retry interval until all retries failed, as ours until it alerts. */
const retryOf = (monitor: Loose): number | undefined => {
  const retry = number(monitor, "retryInterval") ?? 0
  return (number(monitor, "maxretries") ?? 0) > 0 && retry > 0 ? retry : undefined
}

/** There are no parts of a retry. */
const retriesOf = (monitor: Loose): number => Math.ceil(number(monitor, "maxretries") ?? 0)

const timingOf = (monitor: Loose): Draft => {
  const interval = intervalOf(monitor)
  const given = number(monitor, "timeout") ?? 0
  // One echo request is sent each second.
  const timeout = text(monitor, "type") === "ping" && given <= pingCount(monitor) ? 0 : given
  const retry = Math.max(shortest, Math.round(retryOf(monitor) ?? interval))
  return {
    interval,
    ...(retry < interval ? { retryInterval: retry } : {}),
    ...(timeout > 0 ? { timeout: Math.min(120, interval, Math.max(0.1, timeout)) } : {})
  }
}

const intervalNotes = (monitor: Loose): ReadonlyArray<string> => {
  const wanted = number(monitor, "interval") ?? 60
  const interval = intervalOf(monitor)
  const retry = retryOf(monitor)
  const used = Math.min(interval, Math.max(shortest, Math.round(retry ?? interval)))
  return [
    ...(interval === wanted ? [] : [`it is checked every ${interval} s, not every ${wanted} s`]),
    ...(retry === undefined || retry === used || text(monitor, "type") === "push"
      ? []
      : [`after a failure it is checked again after ${used} s, not ${retry} s`])
  ]
}

/** Values beyond what is possible here. */
const alertingNotes = (monitor: Loose): ReadonlyArray<Said> => {
  const { timeout } = timingOf(monitor)
  const given = number(monitor, "timeout") ?? 0
  const { consecutiveFailures: failures, resendEvery: resend } = alertingOf(monitor)
  const [retries, again] = [retriesOf(monitor), number(monitor, "resendInterval") ?? 0]
  const passive = text(monitor, "type") === "push"
  return [
    ...(timeout === undefined || timeout === given || passive
      ? []
      : [`its checks end after ${String(timeout)} s, not after ${given} s`]),
    ...(timeout === undefined && hasTimeout(monitor)
      ? [`its checks end after the usual time here, not after ${cut(text(monitor, "timeout"), 40)} s`]
      : []),
    ...(retries + 1 > failures && !passive
      ? [`it alerts after ${failures} failures in a row, not after ${retries + 1}`]
      : []),
    ...(again > 0 && resend === longestResend
      ? [`its alert is sent again every ${resend} minutes, not more rarely`]
      : [])
  ]
}

/** Whether a timeout was set, also one that cannot be, for a type that has one there. */
const hasTimeout = (monitor: Loose): boolean =>
  ["http", "keyword", "json-query", "ping"].includes(text(monitor, "type")) && text(monitor, "timeout") !== ""

const longestResend = 10_080

const only = (draft: Draft, notes: ReadonlyArray<Said> = []): Converted => ({ drafts: [draft], notes })

/** Their addresses of hosts may stand in brackets. */
const host = (monitor: Loose): string => text(monitor, "hostname").replace(/^\[(.*)\]$/, "$1")

const port = (monitor: Loose): Converted => {
  const found = number(monitor, "port")
  const secured = text(monitor, "smtpSecurity")
  return found === undefined
    ? leftOut(
        text(monitor, "port") === "" ? "it has no port" : `its port is no number (${cut(text(monitor, "port"), 40)})`
      )
    : only({ type: "tcp", host: host(monitor), port: found }, [
        ...(["starttls", "secure"].includes(secured)
          ? [look(`its TLS (${secured}) is not checked, only the port`)]
          : []),
        ...(text(monitor, "expectedTlsAlert") === ""
          ? []
          : [look("the TLS alert it expects is not checked, only the port")]),
        ...HttpMonitors.familyNotes(monitor)
      ])
}

/** ICMP where a check for it is loaded. */
const ping = (monitor: Loose, { kinds }: Context): Converted => {
  const size = number(monitor, "packetSize") ?? 56
  const count = pingCount(monitor)
  const wanted = number(monitor, "ping_count") ?? count
  if (kinds.checks.has("icmp")) {
    const used = Math.min(1472, Math.max(16, size))
    const packets: Draft = { count, ...(size === 56 ? {} : { packetSize: used }) }
    const patience = number(monitor, "ping_per_request_timeout") ?? usualPatience
    return only({ type: "icmp", host: host(monitor), ...packets }, [
      ...(count === wanted ? [] : [`it sends ${counted(count, "packet")}, not ${wanted}`]),
      ...(used === size ? [] : [`its packets have ${used} bytes, not ${size}`]),
      ...(patience === usualPatience
        ? []
        : [`a packet waits for its answer until the check ends, not for ${patience} s`]),
      ...HttpMonitors.familyNotes(monitor)
    ])
  }
  return only({ type: "ping", host: host(monitor) }, [
    look("it connects to TCP port 80; ICMP echo is not checked"),
    ...(size !== 56 || count > 1 ? [`its packets (${count} of ${size} bytes) are not carried over`] : []),
    ...HttpMonitors.familyNotes(monitor)
  ])
}

/** Seconds that a packet waits for its answer there, if nothing else was chosen. */
const usualPatience = 2

/** Echo requests of one check. */
const pingCount = (monitor: Loose): number => Math.min(20, Math.max(1, Math.round(number(monitor, "ping_count") ?? 1)))

const dns = (monitor: Loose): Converted => {
  const recordType = text(monitor, "dns_resolve_type") || "A"
  const [first = "", ...others] = text(monitor, "dns_resolve_server")
    .split(",")
    .map((server) => server.trim())
  const at = number(monitor, "port") ?? 53
  const usable = isIP(first) !== 0
  const server = at === 53 ? first : isIP(first) === 6 ? `[${first}]:${at}` : `${first}:${at}`
  const conditions = objects(monitor["conditions"])
  const expected = expectedIn(conditions)
  return only(
    {
      type: "dns",
      hostname: host(monitor),
      recordType,
      ...expected,
      ...(usable ? { resolver: server } : {})
    },
    [
      ...(first !== "" && !usable
        ? [
            look(
              `its name server ${first} is no address, so the probe's own is asked: enter its address in the monitor`
            )
          ]
        : []),
      ...(others.length > 0 ? [`one name server is asked, ${first}, not ${others.join(", ")} as well`] : []),
      ...(conditions.length > 0 && expected === undefined
        ? [
            look(
              "its conditions are not checked: enter the values that are expected, or a part of them, in the monitor"
            )
          ]
        : []),
      ...HttpMonitors.familyNotes(monitor)
    ]
  )
}

/** Their conditions hold when a record fulfils them: one of several values, or a part of it. */
const expectedIn = (conditions: ReadonlyArray<Loose>): Draft | undefined => {
  const values = conditions.map((condition) => text(condition, "value"))
  const all = (operator: string): boolean =>
    conditions.every(
      (one, index) =>
        text(one, "variable") === "record" &&
        text(one, "operator") === operator &&
        text(one, "value") !== "" &&
        (index === 0 || text(one, "andOr") === "or")
    )
  const [first] = values
  if (first === undefined) return undefined
  if (all("equals")) return values.length === 1 ? { expectedValue: first } : { expectedValues: values }
  return values.length === 1 && all("contains") ? { recordContains: first } : undefined
}

const leastGrace = 60

const push = (monitor: Loose): Converted => {
  const interval = intervalOf(monitor)
  const patience = Math.ceil((number(monitor, "maxretries") ?? 0) * (number(monitor, "retryInterval") || interval))
  // Without retries, ours waits a little longer: theirs alerts at once.
  const grace = patience > 0 ? { grace: Math.min(longestPeriod, Math.max(leastGrace, patience)) } : {}
  return only({ type: "heartbeat", ...grace }, [
    look("its job has to send to a new address, which the page of the new monitor shows")
  ])
}

const readers: Readonly<Record<string, (monitor: Loose, context: Context) => Converted>> = {
  http: HttpMonitors.convert,
  keyword: HttpMonitors.convert,
  "json-query": HttpMonitors.convert,
  port,
  ping,
  dns,
  push
}

/** When and how often an alert is sent. */
export interface Alerting {
  readonly consecutiveFailures: number
  /** Minutes. */
  readonly resendEvery: number
}

export const alertingOf = (monitor: Loose): Alerting => {
  const retries = retriesOf(monitor)
  // They count failures in a row, we count minutes.
  const again = (number(monitor, "resendInterval") ?? 0) * intervalOf(monitor)
  return {
    consecutiveFailures: text(monitor, "type") === "push" ? 1 : Math.min(100, Math.max(1, retries + 1)),
    resendEvery: Math.min(longestResend, Math.max(0, Math.ceil(again / 60)))
  }
}
