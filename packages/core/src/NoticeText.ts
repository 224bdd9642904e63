/**
 * A notice as text. Pure, and the same for every channel, with the facts that a person on call needs. Channels put it
 * into their platform's format, escape it and truncate it to the platform's limits.
 */
import type { Locale } from "@kanmon/domain/Locale"
import type { PageReason } from "@kanmon/domain/PageReason"
import { localDayAndClock, localInstant } from "@kanmon/domain/TimeZone"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { Notice, NoticeEvent } from "./Notice.ts"
import { reasonText } from "./NoticeReasons.ts"
import { type NoticeWord, say, sentence, sentences } from "./NoticeWords.ts"

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

const phrases: Record<NoticeEvent, NoticeWord> = {
  monitor_down: "{name} is down",
  monitor_up: "{name} is up again",
  monitor_degraded: "{name} is degraded",
  monitor_degraded_recovered: "{name} is no longer degraded",
  monitor_stale: "{name} has no check results",
  monitor_stale_recovered: "{name} has check results again",
  ssl_expiring: "{name} has a certificate that expires soon",
  ssl_expired: "{name} has an expired certificate",
  ssl_invalid: "{name} has an invalid certificate",
  ssl_recovered: "{name} has a valid certificate again",
  domain_expiring: "{name} has a domain that expires soon",
  domain_expired: "{name} has an expired domain",
  domain_recovered: "{name} has a renewed domain",
  external: "{name} fires",
  external_resolved: "{name} is resolved",
  test: "{name} sends a test notification"
}

const states: Record<NoticeEvent, NoticeWord> = {
  monitor_down: "Down",
  monitor_up: "Up",
  monitor_degraded: "Degraded",
  monitor_degraded_recovered: "Recovered",
  monitor_stale: "No results",
  monitor_stale_recovered: "Results again",
  ssl_expiring: "Certificate expires",
  ssl_expired: "Certificate expired",
  ssl_invalid: "Certificate invalid",
  ssl_recovered: "Certificate valid",
  domain_expiring: "Domain expires",
  domain_expired: "Domain expired",
  domain_recovered: "Domain renewed",
  external: "Alert",
  external_resolved: "Resolved",
  test: "Test"
}

type Told = Pick<Notice, "language">

const stateOf = ({ event, language }: Pick<Notice, "event" | "language">): string => say(language, states[event])

/** One or two words in capitals: `DOWN`. */
export const word = (notice: Notice): string => stateOf(notice).toLocaleUpperCase(notice.language ?? "en")

/** The monitor's name on one line, truncated for a title. */
export const name = ({ monitor }: Notice, limit = 120): string => {
  const clean = oneLine(monitor.name)
  return truncate(clean === "" ? monitor.id : clean, limit)
}

/** `shop api is down`. */
export const headline = (notice: Notice, nameLimit = 120): string => {
  const { event, group, language } = notice
  const first = say(language, phrases[event], { name: name(notice, nameLimit) })
  return group === undefined
    ? first
    : say(language, "{count} alerts: {first}, and {more} more", { count: group.length, first, more: group.length - 1 })
}

/** `Down: shop api`: the state first, which lists of messages show when they cut the rest. */
export const subject = (notice: Notice): string => {
  const { group, language, project } = notice
  const values = { state: stateOf(notice), name: name(notice) }
  return group === undefined
    ? say(language, "{state}: {name}", values)
    : say(language, "{state}: {name} and {count} more in {project}", {
        ...values,
        count: group.length - 1,
        project: oneLine(project.name)
      })
}

/** An instant as the reader's clocks show it: `2026-11-20 22:00:00 CET`. */
export const when = ({ zone }: Pick<Notice, "zone">, at: EpochMillis): string => localInstant(at, zone)

/** One line for each alert of a burst. */
const listed = (group: NonNullable<Notice["group"]>, reader: Pick<Notice, "language" | "zone">): string =>
  group
    .map((alert) => {
      const { event, monitor } = alert
      const what = say(reader.language, phrases[event], { name: truncate(oneLine(monitor.name) || monitor.id, 60) })
      const why = truncate(oneLine(reasonText(alert, reader)), 100)
      return why === "" ? what : `${what}: ${why}`
    })
    .join("\n")

/** The event in full sentences of plain text. */
export const summary = (notice: Notice): string => {
  const { durationSeconds, group, language, startedAt } = notice
  if (group !== undefined) return listed(group, notice)
  const reason = clean(reasonText(notice, notice))
  const lasted = durationSeconds === null ? undefined : durationIn(language, durationSeconds)
  return sentences(language, [
    notice.overtakesOpening && lasted !== undefined
      ? say(language, "It had been failing since {at}; that notification could not be delivered in time.", {
          at: when(notice, startedAt)
        })
      : "",
    isResolution(notice) && lasted !== undefined ? say(language, "It lasted {duration}.", { duration: lasted }) : "",
    sentence(language, reason)
  ])
}

/** The label of the fact why a person is paged, in English. */
export const whyLabel = "Why you"

/** Whether a fact of a notice says why a person is paged. */
export const isWhy = ({ label }: Fact, { language }: Told): boolean => label === say(language, whyLabel)

/** The longest names and notes in a reason. */
const reasonNameLimit = 80
const noteLimit = 500

const reasonName = (text: string | null, limit = reasonNameLimit): string => truncate(oneLine(text ?? ""), limit)

/** `, step 2 of Shop`: where the policy names the person. */
const place = ({ policy, step }: PageReason, language: Locale | undefined): string => {
  const named = reasonName(policy)
  if (step === null) return policy === null ? "" : say(language, ", after the last step of {policy}", { policy: named })
  return policy === null
    ? say(language, ", step {step} of its policy", { step: step + 1 })
    : say(language, ", step {step} of {policy}", { step: step + 1, policy: named })
}

type Paged = Pick<Notice, "at" | "language" | "why" | "zone">

const reasonWords = (reason: PageReason, { at, language, zone }: Paged): string => {
  const { from, kind, note, policy, step, until } = reason
  const moment = (word: " (until {at})" | " (from {at})", time: EpochMillis | null) =>
    time === null ? "" : say(language, word, { at: localDayAndClock(time, zone, at, (day) => say(language, day)) })
  const values = { name: reasonName(reason.name), place: place(reason, language) }
  switch (kind) {
    case "on_call":
      return say(language, "You are on call in {name}{until}{place}", {
        ...values,
        until: moment(" (until {at})", until)
      })
    case "next_on_call":
      return say(language, "You are next on call in {name}{from}{place}", {
        ...values,
        from: moment(" (from {at})", from)
      })
    case "team":
      return say(language, "You are a member of the team {name}{place}", values)
    case "person": {
      const named = {
        policy: reasonName(policy),
        step: step === null ? "" : say(language, ", step {step}", { step: step + 1 })
      }
      return policy === null
        ? say(language, "You are named in the policy of the alert{step}", named)
        : say(language, "You are named in the policy {policy}{step}", named)
    }
    case "asked":
      return note === null
        ? say(language, "Asked by {name}", values)
        : say(language, "Asked by {name}: {note}", { ...values, note: reasonName(note, noteLimit) })
    case "acknowledgement_ended":
      return say(language, "You acknowledged the alert, and the time for which that holds is over")
    case "no_one_reached":
      return say(language, "You are an owner, and no one was reached{place}", values)
    case "no_one_answered":
      return say(language, "You are an owner, and no one answered{place}", values)
  }
}

/**
 * Why the reader is paged, on one line: `You are on call in Primary (until Mon 09:00 CET), step 2 of Shop`. Empty for channels, and for
 * recoveries and tests.
 */
export const why = (notice: Paged): string => (notice.why ?? []).map((reason) => reasonWords(reason, notice)).join("; ")

const shortNameLimit = 30
const shortNoteLimit = 60

/** The same in a few words, for messages with little room: `on call: Primary`. Only the first reason. */
export const whyShort = ({ language, why: [reason] = [] }: Pick<Notice, "language" | "why">): string => {
  if (reason === undefined) return ""
  const name = reasonName(reason.name, shortNameLimit)
  switch (reason.kind) {
    case "on_call":
      return say(language, "on call: {name}", { name })
    case "next_on_call":
      return say(language, "next on call: {name}", { name })
    case "team":
      return say(language, "team: {name}", { name })
    case "person":
      return say(language, "policy: {policy}", { policy: reasonName(reason.policy, shortNameLimit) })
    case "asked":
      return reason.note === null
        ? say(language, "asked by {name}", { name })
        : say(language, "asked by {name}: {note}", { name, note: reasonName(reason.note, shortNoteLimit) })
    case "acknowledgement_ended":
      return say(language, "your acknowledgement ended")
    case "no_one_reached":
      return say(language, "owner: no one was reached")
    case "no_one_answered":
      return say(language, "owner: no one answered")
  }
}

/** A labelled line of a notice. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** The known facts, most important first. Each is one line of plain text. */
export const facts = (notice: Notice): ReadonlyArray<Fact> => {
  const { durationSeconds, expiresAt, language, responseTime, statusCode } = notice
  const fact = (about: NoticeWord, value: string): Fact | undefined =>
    value === "" ? undefined : { label: say(language, about), value }
  const rows: Array<Fact | undefined> = [
    fact(whyLabel, why(notice)),
    fact("Target", oneLine(notice.monitor.target)),
    fact("Severity", severityWord(notice)),
    fact("Since", when(notice, notice.startedAt)),
    durationSeconds === null ? undefined : fact("Lasted", durationIn(language, durationSeconds)),
    fact("Regions", vote(notice)),
    statusCode === null ? undefined : fact("Status code", String(statusCode)),
    responseTime === null ? undefined : fact("Response time", millis(responseTime, language)),
    fact("Timing", timing(notice)),
    expiresAt === null ? undefined : fact("Expires", when(notice, expiresAt)),
    fact("Project", oneLine(notice.project.name)),
    fact(...ruleFact(notice))
  ]
  return rows.filter((row) => row !== undefined)
}

const severityWords: Record<Notice["severity"], NoticeWord> = { critical: "Critical", warning: "Warning", info: "Info" }

/** How urgent the alert is, in a word. */
export const severityWord = ({ language, severity }: Pick<Notice, "language" | "severity">): string =>
  say(language, severityWords[severity])

/** Maximum number of rules named; the rest is counted. */
const namedRules = 5

const ruleFact = ({ language, rule, rules = rule === null ? [] : [rule] }: Notice): readonly [NoticeWord, string] => {
  const names = rules.slice(0, namedRules).map(({ name }) => oneLine(name))
  if (names.length < 2) return ["Rule", names[0] ?? ""]
  const count = rules.length - names.length
  return ["Rules", [...names, ...(count === 0 ? [] : [say(language, "{count} more", { count })])].join(", ")]
}

/** The facts of a message: a test has no outage, and those of a group stand in its list. */
export const testFacts = (notice: Notice): ReadonlyArray<Fact> => {
  const kept: ReadonlyArray<NoticeWord> | undefined =
    notice.event === "test" ? ["Project"] : notice.group === undefined ? undefined : [whyLabel, "Severity", "Project"]
  return facts(notice).filter(
    ({ label }) => kept === undefined || kept.some((about) => say(notice.language, about) === label)
  )
}

/** `down in 4 of 5 regions (eu-west, us-east, …)`; with one region, its name. Unknown results do not count. */
export const vote = ({ event, language, regions }: Notice): string => {
  const voters = regions.filter(({ status }) => status !== "unknown")
  if (voters.length === 0) return ""
  const wanted = event === "monitor_degraded" ? ["degraded", "down"] : ["down"]
  const failing = voters.filter(({ status }) => wanted.includes(status))
  const names = (failing.length === 0 ? voters : failing).map(({ region }) => region).join(", ")
  if (voters.length === 1) return names
  const values = { count: voters.length, failing: failing.length, names }
  if (failing.length === 0) return say(language, "passing in all of {count} regions ({names})", values)
  return event === "monitor_degraded"
    ? say(language, "degraded in {failing} of {count} regions ({names})", values)
    : say(language, "down in {failing} of {count} regions ({names})", values)
}

const timing = ({ language, timing }: Notice): string =>
  (["dns", "connect", "tls", "firstByte", "download"] as const)
    .flatMap((stage) =>
      timing[stage] === undefined ? [] : [`${say(language, stage)} ${millis(timing[stage], language)}`]
    )
    .join(", ")

const millis = (value: number, language: Locale | undefined): string =>
  say(language, "{count} ms", { count: value < 10 ? Math.round(value * 10) / 10 : Math.round(value) })

const units = [
  [86_400, "{count} d"],
  [3600, "{count} h"],
  [60, "{count} min"],
  [1, "{count} s"]
] as const

/** `2 h 5 min`, `41 s`: the two largest units. */
export const duration = (seconds: number): string => durationIn(undefined, seconds)

const durationIn = (language: Locale | undefined, seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const first = units.findIndex(([size]) => whole >= size)
  if (first === -1) return say(language, "{count} s", { count: 0 })
  let rest = whole
  return units
    .slice(first, first + 2)
    .flatMap(([size, unit]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count === 0 ? [] : [say(language, unit, { count })]
    })
    .join(" ")
}

/** The noun in the label of `links.monitor`: a test has no monitor, and its link opens the list of them; nor has an alert of an integration. */
export const opens = ({ event }: Notice): "alert" | "monitor" | "monitors" =>
  event === "test" ? "monitors" : event.startsWith("external") ? "alert" : "monitor"

/** The label of `links.monitor`: `Open monitor`. */
export const openLabel = (notice: Notice): string => say(notice.language, `Open ${opens(notice)}`)

/** The label of `acknowledgeUrl`. */
export const acknowledgeLabel = ({ language }: Told): string => say(language, "Acknowledge")

/** The whole notice as plain text: headline, sentences, facts, link. */
export const plain = (notice: Notice): string =>
  [
    headline(notice),
    summary(notice),
    testFacts(notice)
      .map(({ label, value }) => `${label}: ${value}`)
      .join("\n"),
    notice.links.monitor,
    notice.acknowledgeUrl === undefined ? "" : `${acknowledgeLabel(notice)}: ${notice.acknowledgeUrl}`
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
