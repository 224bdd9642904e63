/** The recipients of an outage of any monitor, including future ones. Pure. */
import type { AlertRule } from "@kanmon/domain/AlertRule"

type Rule = Pick<typeof AlertRule.Encoded, "monitorIds" | "tags" | "triggers" | "channelIds" | "escalationPolicyId">

export interface Told {
  /** Ids of channels. */
  readonly channelIds: ReadonlyArray<string>
  /** Whether an escalation policy pages people. */
  readonly isEscalated: boolean
}

/** A rule without monitors and tags watches every monitor; one without channels and policy notifies every channel. */
export const toldOfEveryMonitor = (rules: ReadonlyArray<Rule>, channelIds: ReadonlyArray<string>): Told => {
  const watching = rules.filter(
    ({ monitorIds, tags, triggers }) =>
      monitorIds.length === 0 && tags.length === 0 && triggers.includes("monitor_down")
  )
  const isForAll = watching.some((rule) => rule.channelIds.length === 0 && rule.escalationPolicyId === null)
  const named = new Set(watching.flatMap((rule) => rule.channelIds))
  return {
    channelIds: channelIds.filter((id) => isForAll || named.has(id)),
    isEscalated: watching.some(({ escalationPolicyId }) => escalationPolicyId !== null)
  }
}
