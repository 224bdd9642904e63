/**
 * A notice as text. Pure, and the same for every channel, with the facts that a person on call needs. Channels put it
 * into their platform's format, escape it and truncate it to the platform's limits.
 */
import type { PageReason } from "@kanmon/domain/PageReason"
import { localDayAndClock, localInstant } from "@kanmon/domain/TimeZone"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Notice, NoticeEvent } from "./Notice.ts"
import { localReason } from "./NoticeTimes.ts"

/** Determines colour, sound and urgency. */
export type Tone = "bad" | "warning" | "good" | "neutral"

const tones: Record<NoticeEvent, Tone> = {
  monitor_down: "bad",
  monitor_up: "good",
  monitor_degraded: "warning",
  monitor_degraded_recovered: "good",
  monitor_stale: "warning",
  monitor_stale_recovered: "good",
  ssl_expiring: "warning",
  ssl_expired: "bad",
  ssl_invalid: "bad",
  ssl_recovered: "good",
  domain_expiring: "warning",
  domain_expired: "bad",
  domain_recovered: "good",
  external: "bad",
  external_resolved: "good",
  test: "neutral"
}

export const tone = ({ event }: Notice): Tone => tones[event]

/** Whether the notice closes its alert. */
export const isResolution = ({ event }: Notice): boolean => tones[event] === "good"

const phrases: Record<NoticeEvent, string> = {
  monitor_down: "is down",
  monitor_up: "is up again",
  monitor_degraded: "is degraded",
  monitor_degraded_recovered: "is no longer degraded",
  monitor_stale: "has no check results",
  monitor_stale_recovered: "has check results again",
  ssl_expiring: "has a certificate that expires soon",
  ssl_expired: "has an expired certificate",
  ssl_invalid: "has an invalid certificate",
  ssl_recovered: "has a valid certificate again",
  domain_expiring: "has a domain that expires soon",
  domain_expired: "has an expired domain",
  domain_recovered: "has a renewed domain",
  external: "fires",
  external_resolved: "is resolved",
  test: "sends a test notification"
}

const words: Record<NoticeEvent, string> = {
  monitor_down: "DOWN",
  monitor_up: "UP",
  monitor_degraded: "DEGRADED",
  monitor_degraded_recovered: "RECOVERED",
  monitor_stale: "NO RESULTS",
  monitor_stale_recovered: "RESULTS AGAIN",
  ssl_expiring: "CERTIFICATE EXPIRES",
  ssl_expired: "CERTIFICATE EXPIRED",
  ssl_invalid: "CERTIFICATE INVALID",
  ssl_recovered: "CERTIFICATE VALID",
  domain_expiring: "DOMAIN EXPIRES",
  domain_expired: "DOMAIN EXPIRED",
  domain_recovered: "DOMAIN RENEWED",
  external: "ALERT",
  external_resolved: "RESOLVED",
  test: "TEST"
}

/** One or two words in capitals: `DOWN`. */
export const word = ({ event }: Notice): string => words[event]

/** The monitor's name on one line, truncated for a title. */
export const name = ({ monitor }: Notice, limit = 120): string => {
  const clean = oneLine(monitor.name)
  return truncate(clean === "" ? monitor.id : clean, limit)
}

/** `shop api is down`. */
export const headline = (notice: Notice, nameLimit = 120): string => {
  const first = `${name(notice, nameLimit)} ${phrases[notice.event]}`
  return notice.group === undefined
    ? first
    : `${notice.group.length} alerts: ${first}, and ${notice.group.length - 1} more`
}

/** `Down: shop api`: the state first, which lists of messages show when they cut the rest. */
export const subject = (notice: Notice): string => {
  const state = `${words[notice.event][0]}${words[notice.event].slice(1).toLowerCase()}`
  return notice.group === undefined
    ? `${state}: ${name(notice)}`
    : `${state}: ${name(notice)} and ${notice.group.length - 1} more in ${oneLine(notice.project.name)}`
}

/** An instant as the reader's clocks show it: `2026-11-20 22:00:00 CET`. */
export const when = ({ zone }: Pick<Notice, "zone">, at: EpochMillis): string => localInstant(at, zone)

/** One line for each alert of a burst. */
const listed = (group: NonNullable<Notice["group"]>, zone: string | undefined): string =>
  group
    .map((alert) => {
      const { event, monitor } = alert
      const what = `${truncate(oneLine(monitor.name) || monitor.id, 60)} ${phrases[event]}`
      const why = truncate(oneLine(localReason(alert, zone)), 100)
      return why === "" ? what : `${what}: ${why}`
    })
    .join("\n")

/** The event in full sentences of plain text. */
export const summary = (notice: Notice): string => {
  if (notice.group !== undefined) return listed(notice.group, notice.zone)
  const reason = clean(localReason(notice, notice.zone))
  const lasted = notice.durationSeconds === null ? undefined : duration(notice.durationSeconds)
  const sentences = [
    notice.overtakesOpening && lasted !== undefined
      ? `It had been failing since ${when(notice, notice.startedAt)}; that notification could not be delivered in time.`
      : undefined,
    isResolution(notice) && lasted !== undefined ? `It lasted ${lasted}.` : undefined,
    reason === "" ? undefined : /[.!?…]$/.test(reason) ? reason : `${reason}.`
  ]
  return sentences.filter((sentence) => sentence !== undefined).join(" ")
}

/** The label of the fact why a person is paged. */
export const whyLabel = "Why you"

/** The longest names and notes in a reason. */
const reasonNameLimit = 80
const noteLimit = 500

const reasonName = (text: string | null, limit = reasonNameLimit): string => truncate(oneLine(text ?? ""), limit)

/** `, step 2 of Shop`: where the policy names the person. */
const place = ({ policy, step }: PageReason): string => {
  if (step === null) return policy === null ? "" : `, after the last step of ${reasonName(policy)}`
  return `, step ${step + 1} of ${policy === null ? "its policy" : reasonName(policy)}`
}

const reasonWords = (reason: PageReason, { at, zone }: Pick<Notice, "at" | "zone">): string => {
  const { from, kind, name, note, policy, step, until } = reason
  const moment = (word: string, time: EpochMillis | null) =>
    time === null ? "" : ` (${word} ${localDayAndClock(time, zone, at)})`
  switch (kind) {
    case "on_call":
      return `You are on call in ${reasonName(name)}${moment("until", until)}${place(reason)}`
    case "next_on_call":
      return `You are next on call in ${reasonName(name)}${moment("from", from)}${place(reason)}`
    case "team":
      return `You are a member of the team ${reasonName(name)}${place(reason)}`
    case "person":
      return `You are named in the policy ${policy === null ? "of the alert" : reasonName(policy)}${step === null ? "" : `, step ${step + 1}`}`
    case "asked":
      return `Asked by ${reasonName(name)}${note === null ? "" : `: ${reasonName(note, noteLimit)}`}`
    case "acknowledgement_ended":
      return "You acknowledged the alert, and the time for which that holds is over"
    case "no_one_reached":
      return `You are an owner, and no one was reached${place(reason)}`
    case "no_one_answered":
      return `You are an owner, and no one answered${place(reason)}`
  }
}

/**
 * Why the reader is paged, on one line: `You are on call in Primary (until Mon 09:00 CET), step 2 of Shop`. Empty for channels, and for
 * recoveries and tests.
 */
export const why = (notice: Pick<Notice, "at" | "why" | "zone">): string =>
  (notice.why ?? []).map((reason) => reasonWords(reason, notice)).join("; ")

const shortNameLimit = 30
const shortNoteLimit = 60

/** The same in a few words, for messages with little room: `on call: Primary`. Only the first reason. */
export const whyShort = ({ why: [reason] = [] }: Pick<Notice, "why">): string => {
  if (reason === undefined) return ""
  const name = reasonName(reason.name, shortNameLimit)
  switch (reason.kind) {
    case "on_call":
      return `on call: ${name}`
    case "next_on_call":
      return `next on call: ${name}`
    case "team":
      return `team: ${name}`
    case "person":
      return `policy: ${reasonName(reason.policy, shortNameLimit)}`
    case "asked":
      return `asked by ${name}${reason.note === null ? "" : `: ${reasonName(reason.note, shortNoteLimit)}`}`
    case "acknowledgement_ended":
      return "your acknowledgement ended"
    case "no_one_reached":
      return "owner: no one was reached"
    case "no_one_answered":
      return "owner: no one answered"
  }
}

/** A labelled line of a notice. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** The known facts, most important first. Each is one line of plain text. */
export const facts = (notice: Notice): ReadonlyArray<Fact> => {
  const rows: Array<Fact | undefined> = [
    fact(whyLabel, why(notice)),
    fact("Target", oneLine(notice.monitor.target)),
    fact("Severity", severityWords[notice.severity]),
    fact("Since", when(notice, notice.startedAt)),
    notice.durationSeconds === null ? undefined : fact("Lasted", duration(notice.durationSeconds)),
    fact("Regions", vote(notice)),
    notice.statusCode === null ? undefined : fact("Status code", String(notice.statusCode)),
    notice.responseTime === null ? undefined : fact("Response time", millis(notice.responseTime)),
    fact("Timing", timing(notice)),
    notice.expiresAt === null ? undefined : fact("Expires", when(notice, notice.expiresAt)),
    fact("Project", oneLine(notice.project.name)),
    ruleFact(notice)
  ]
  return rows.filter((row) => row !== undefined)
}

const severityWords: Record<Notice["severity"], string> = { critical: "Critical", warning: "Warning", info: "Info" }

/** Maximum number of rules named; the rest is counted. */
const namedRules = 5

const ruleFact = ({ rule, rules = rule === null ? [] : [rule] }: Notice): Fact | undefined => {
  const names = rules.slice(0, namedRules).map(({ name }) => oneLine(name))
  if (names.length < 2) return fact("Rule", names[0] ?? "")
  const rest = rules.length - names.length
  return fact("Rules", [...names, ...(rest === 0 ? [] : [`${rest} more`])].join(", "))
}

/** The facts of a message: a test has no outage, and those of a group stand in its list. */
export const testFacts = (notice: Notice): ReadonlyArray<Fact> => {
  const kept =
    notice.event === "test" ? ["Project"] : notice.group === undefined ? undefined : [whyLabel, "Severity", "Project"]
  return facts(notice).filter(({ label }) => kept === undefined || kept.includes(label))
}

const fact = (label: string, value: string): Fact | undefined => (value === "" ? undefined : { label, value })

/** `down in 4 of 5 regions (eu-west, us-east, …)`; with one region, its name. Unknown results do not count. */
export const vote = ({ event, regions }: Notice): string => {
  const voters = regions.filter(({ status }) => status !== "unknown")
  if (voters.length === 0) return ""
  const wanted = event === "monitor_degraded" ? ["degraded", "down"] : ["down"]
  const failing = voters.filter(({ status }) => wanted.includes(status))
  const names = (failing.length === 0 ? voters : failing).map(({ region }) => region).join(", ")
  if (voters.length === 1) return names
  if (failing.length === 0) return `passing in all of ${voters.length} regions (${names})`
  const state = event === "monitor_degraded" ? "degraded" : "down"
  return `${state} in ${failing.length} of ${voters.length} regions (${names})`
}

const timing = ({ timing }: Notice): string =>
  (["dns", "connect", "tls", "firstByte", "download"] as const)
    .flatMap((stage) => (timing[stage] === undefined ? [] : [`${stage} ${millis(timing[stage])}`]))
    .join(", ")

const millis = (value: number): string => `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ms`

/** `2 h 5 min`, `41 s`: the two largest units. */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const units: ReadonlyArray<readonly [number, string]> = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"]
  ]
  const first = units.findIndex(([size]) => whole >= size)
  if (first === -1) return "0 s"
  let rest = whole
  return units
    .slice(first, first + 2)
    .flatMap(([size, unit]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count === 0 ? [] : [`${count} ${unit}`]
    })
    .join(" ")
}

/** The noun in the label of `links.monitor`: a test has no monitor, and its link opens the list of them; nor has an alert of an integration. */
export const opens = ({ event }: Notice): "alert" | "monitor" | "monitors" =>
  event === "test" ? "monitors" : event.startsWith("external") ? "alert" : "monitor"

/** The whole notice as plain text: headline, sentences, facts, link. */
export const plain = (notice: Notice): string =>
  [
    headline(notice),
    summary(notice),
    testFacts(notice)
      .map(({ label, value }) => `${label}: ${value}`)
      .join("\n"),
    notice.links.monitor,
    notice.acknowledgeUrl === undefined ? "" : `Acknowledge: ${notice.acknowledgeUrl}`
  ]
    .filter((part) => part !== "")
    .join("\n\n")

// Control characters and direction overrides: a name must not change how its line is displayed.
const unwanted = /(?!\n)[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

/** Third-party text without control and direction characters; line breaks stay. Lone surrogates become U+FFFD. */
export const clean = (text: string): string => text.replaceAll("\r\n", "\n").toWellFormed().replace(unwanted, "").trim()

/** The same on one line. */
export const oneLine = (text: string): string =>
  clean(text.replace(/[\r\n\t\u2028\u2029]+/g, " ")).replace(/ {2,}/g, " ")

const segments = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Truncates to `limit` UTF-16 units (providers count at most one character per unit), between graphemes, ending in `…`. */
export const truncate = (text: string, limit: number): string => cut(text, limit, (part) => part.length)

/** Truncates to `limit` bytes of UTF-8. */
export const truncateBytes = (text: string, limit: number): string =>
  cut(text, limit, (part) => Buffer.byteLength(part))

const cut = (text: string, limit: number, size: (part: string) => number): string => {
  if (size(text) <= limit) return text
  const room = limit - size("…")
  let kept = ""
  let used = 0
  for (const { segment } of segments.segment(text.slice(0, limit))) {
    used += size(segment)
    if (used > room) break
    kept += segment
  }
  return room < 0 ? "" : `${kept.trimEnd()}…`
}
