/** A rule as a sentence, such as "When Checkout is down for 2 checks, notify Slack #ops." */
import { duration } from "../../locales/time.ts"
import { listWords } from "../../locales/lists.ts"
import { t, type Text } from "../../locales/text.ts"
import { emphasized, listed, strong } from "../../ui/Emphasis.tsx"
import type { ChannelName, PolicyName, Rule } from "./queries.ts"

type Trigger = Rule["trigger"]

/** The words after "a monitor" in the sentence. */
const conditions: Readonly<Record<Exclude<Trigger, "external">, Text>> = {
  monitor_down: "is down",
  monitor_degraded: "is degraded",
  monitor_stale: "has overdue results",
  ssl_expiring: "has a certificate that expires soon",
  ssl_expired: "has an expired certificate",
  ssl_invalid: "has an invalid certificate",
  domain_expiring: "has a domain that expires soon",
  domain_expired: "has an expired domain"
}

/** The conditions of monitors. */
export const triggers = Object.keys(conditions) as ReadonlyArray<keyof typeof conditions>

export const conditionOf = (trigger: keyof typeof conditions): string => t(conditions[trigger])

/** The conditions of monitors that a rule has. */
export const conditionsOf = (rule: Pick<Rule, "triggers">): ReadonlyArray<string> =>
  triggers.filter((trigger) => rule.triggers.includes(trigger)).map(conditionOf)

/** Whether the rule is for the alerts of integrations, and never for monitors. */
export const isExternal = (rule: Pick<Rule, "triggers">): boolean => rule.triggers.includes("external")

/** What happens before a rule acts. */
const occasionOf = (rule: Draft, nameOf: (id: string) => string) => ({
  monitors: monitorsOf(rule, nameOf),
  conditions: strong(alternatives(conditionsOf(rule)))
})

const counted: ReadonlySet<Trigger> = new Set(["monitor_down", "monitor_degraded"])

export const countsFailures = (rule: Pick<Rule, "triggers">): boolean => rule.triggers.some((each) => counted.has(each))

const alternatives = (words: ReadonlyArray<string>): string => listWords(words, "disjunction")

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
  "monitorIds" | "tags" | "channelIds" | "triggers" | "consecutiveFailures" | "resendEvery" | "escalationPolicyId"
>

/** The action of a rule, after its condition. */
const actionOf = (
  { channelIds, escalationPolicyId }: Draft,
  channels: ReadonlyArray<ChannelName>,
  policies: ReadonlyArray<PolicyName>
): string => {
  const names = channelsOf({ channelIds }, channels)
  if (escalationPolicyId === null) return t("notify {channels}", { channels: names })
  const policy = strong(policies.find(({ id }) => id === escalationPolicyId)?.name ?? t("a deleted policy"))
  // A rule with a policy tells only the channels that it names.
  return channelIds.length === 0
    ? t("escalate by {policy}", { policy })
    : t("notify {channels} and escalate by {policy}", { channels: names, policy })
}

export const Sentence = ({
  channels,
  monitorName,
  policies,
  rule
}: {
  readonly rule: Draft
  readonly channels: ReadonlyArray<ChannelName>
  readonly policies: ReadonlyArray<PolicyName>
  readonly monitorName: (id: string) => string
}) => {
  const values = { ...occasionOf(rule, monitorName), action: actionOf(rule, channels, policies) }
  const count = rule.consecutiveFailures
  const text = isExternal(rule)
    ? t("When an integration sends an alert, {action}.", { action: values.action })
    : countsFailures(rule) && count > 1
      ? t("When {monitors} {conditions} for {checks}, {action}.", {
          ...values,
          checks: strong(t("{count, plural, one {# check} other {# checks}}", { count }))
        })
      : t("When {monitors} {conditions}, {action}.", values)
  const again =
    rule.resendEvery === 0
      ? ""
      : ` ${t("Remind every {duration} while it lasts.", { duration: strong(duration(rule.resendEvery * 60)) })}`
  return <>{emphasized(text + again)}</>
}
