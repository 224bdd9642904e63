/** A rule as a sentence, such as "When Checkout is down for 2 checks, notify Slack #ops." */
import type { ReactNode } from "react"
import { duration } from "../../locales/time.ts"
import { formatLocale, t, type Text } from "../../locales/text.ts"
import type { ChannelName, Rule } from "./queries.ts"

type Trigger = Rule["trigger"]

/** What follows "a monitor" in the sentence. */
const conditions: Readonly<Record<Trigger, Text>> = {
  monitor_down: "is down",
  monitor_degraded: "is degraded",
  monitor_stale: "has overdue results",
  ssl_expiring: "has a certificate that expires soon",
  ssl_expired: "has an expired certificate",
  ssl_invalid: "has an invalid certificate",
  domain_expiring: "has a domain that expires soon",
  domain_expired: "has an expired domain"
}

export const triggers = Object.keys(conditions) as ReadonlyArray<Trigger>

export const conditionOf = (trigger: Trigger): string => t(conditions[trigger])

const counted: ReadonlySet<Trigger> = new Set(["monitor_down", "monitor_degraded"])

export const countsFailures = (rule: Pick<Rule, "triggers">): boolean => rule.triggers.some((each) => counted.has(each))

const alternatives = (words: ReadonlyArray<string>): string =>
  new Intl.ListFormat(formatLocale(), { type: "disjunction" }).format(words)

const shown = 3

/** Names in a row; the rest of a long list as a number. */
const listed = (names: ReadonlyArray<string>, type: "conjunction" | "disjunction"): string =>
  new Intl.ListFormat(formatLocale(), { type }).format(
    names.length <= shown + 1
      ? names
      : [
          ...names.slice(0, shown),
          t("{count, plural, one {# other} other {# others}}", { count: names.length - shown })
        ]
  )

// Names come from people, so what is emphasized is marked with characters that no name has.
const [begin, end] = ["\uE000", "\uE001"]
const strong = (text: string): string => `${begin}${text.replaceAll(/[\uE000\uE001]/g, "")}${end}`

const emphasized = (text: string): ReactNode =>
  text.split(/(\uE000[^\uE000\uE001]*\uE001)/).map((part, index) =>
    part.startsWith(begin) ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence
      <strong key={index} className="font-semibold text-ink">
        {part.slice(1, -1)}
      </strong>
    ) : (
      part
    )
  )

const monitorsOf = (
  { monitorIds, tags }: Pick<Rule, "monitorIds" | "tags">,
  nameOf: (id: string) => string
): string => {
  if (monitorIds.length === 0 && tags.length === 0) return strong(t("any monitor"))
  const tagged = tags.length === 0 ? [] : [t("any monitor tagged {tags}", { tags: listed(tags, "disjunction") })]
  return strong(listed([...monitorIds.map(nameOf), ...tagged], "disjunction"))
}

const channelsOf = ({ channelIds }: Pick<Rule, "channelIds">, channels: ReadonlyArray<ChannelName>): string =>
  strong(
    channelIds.length === 0
      ? t("every channel")
      : listed(
          channelIds.map((id) => channels.find((channel) => channel.id === id)?.name ?? t("a deleted channel")),
          "conjunction"
        )
  )

export type Draft = Pick<
  Rule,
  "monitorIds" | "tags" | "channelIds" | "triggers" | "consecutiveFailures" | "resendEvery"
>

export const Sentence = ({
  channels,
  monitorName,
  rule
}: {
  readonly rule: Draft
  readonly channels: ReadonlyArray<ChannelName>
  readonly monitorName: (id: string) => string
}) => {
  const values = {
    monitors: monitorsOf(rule, monitorName),
    conditions: strong(alternatives(rule.triggers.map(conditionOf))),
    channels: channelsOf(rule, channels)
  }
  const count = rule.consecutiveFailures
  const text =
    countsFailures(rule) && count > 1
      ? t("When {monitors} {conditions} for {checks}, notify {channels}.", {
          ...values,
          checks: strong(t("{count, plural, one {# check} other {# checks}}", { count }))
        })
      : t("When {monitors} {conditions}, notify {channels}.", values)
  const again =
    rule.resendEvery === 0
      ? ""
      : ` ${t("Remind every {duration} while it lasts.", { duration: strong(duration(rule.resendEvery * 60)) })}`
  return <>{emphasized(text + again)}</>
}
