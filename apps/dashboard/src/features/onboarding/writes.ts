/**
 * Creates the channel, the monitor and the rule of the onboarding, one after the other. Created records stay: after a
 * failure the next attempt continues with what is missing, and its idempotency keys keep a lost answer from making two.
 */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import type { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import type { RulePreview } from "@kanmon/protocol/RuleBody"
import { useState } from "react"
import { reasonOf } from "../../api/problem.ts"
import type { ProjectHeaders } from "../../api/message.ts"
import { request } from "../../api/request.ts"
import { rulesQuery } from "../../api/rules.ts"
import { useWrite } from "../../api/write.ts"
import { randomId } from "../../browser/secure.ts"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"

export type Channel = typeof ChannelRecord.Encoded
type Rule = typeof AlertRule.Encoded

/** The body of a new channel. */
export interface ChannelDraft {
  readonly name: string
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
}

export interface Wanted {
  readonly monitor: Readonly<Record<string, unknown>>
  /** Channels that exist. */
  readonly channelIds: ReadonlyArray<string>
  /** Whether the rule watches all monitors, those to come too. */
  readonly everyMonitor: boolean
}

/** The records that one run of the onboarding has created. */
export interface Made {
  readonly monitor?: MonitorRecord
  readonly rule?: Rule | "covered"
}

/** The part that was not made, and why. */
export class SetupFailed extends Error {
  readonly part: "monitor" | "rule"
  readonly made: Made
  override readonly cause: unknown
  constructor(part: "monitor" | "rule", made: Made, cause: unknown) {
    super(reasonOf(cause))
    this.part = part
    this.made = made
    this.cause = cause
  }
}

/** One key for each different body, so that a corrected body is a new request and a repeated one is not. */
export const keysOf = (): ((part: string, body: unknown) => string) => {
  const run = randomId()
  const numbers = new Map<string, number>()
  return (part, body) => {
    const text = `${part} ${JSON.stringify(body)}`
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return `onboarding-${run}-${number}`
  }
}

/** The channels that no rule notifies of an outage of the monitor yet. */
const uncovered = (
  { rules }: Pick<typeof RulePreview.Encoded, "rules">,
  channelIds: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const told = new Set(
    rules
      .filter(({ triggers }) => triggers.includes("monitor_down"))
      .flatMap(({ channels }) => channels.map(({ id }) => id))
  )
  return channelIds.filter((id) => !told.has(id))
}

const attempt = async <A>(part: SetupFailed["part"], made: Made, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw new SetupFailed(part, made, error)
  }
}

const setUp = async (
  project: ProjectHeaders,
  wanted: Wanted,
  already: Made,
  keyFor: (part: string, body: unknown) => string
): Promise<Made & { readonly monitor: MonitorRecord }> => {
  const { channelIds, everyMonitor } = wanted
  const monitor =
    already.monitor ??
    (await attempt("monitor", already, () => {
      const body = wanted.monitor
      return request("POST /monitors", { project, body, idempotencyKey: keyFor("/monitors", body) })
    }))
  const made = { ...already, monitor }
  if (channelIds.length === 0 || made.rule !== undefined) return made
  const rule = await attempt("rule", made, async () => {
    const preview = await request("GET /alert-rules/preview", { query: { monitorId: monitor.id }, project })
    // A channel that a rule notifies already would get everything twice.
    const missing = uncovered(preview, channelIds)
    if (missing.length === 0) return "covered"
    const body = {
      name: everyMonitor ? t("Something is down") : t("{name} is down", { name: monitor.name }).slice(0, 100),
      monitorIds: everyMonitor ? [] : [monitor.id],
      channelIds: missing,
      triggers: ["monitor_down" as const]
    }
    return request("POST /alert-rules", { project, body, idempotencyKey: keyFor("/alert-rules", body) })
  })
  return { ...made, rule }
}

/** Makes what is missing. The list shows the monitor when everything is made: it would take the place of the onboarding. */
export const useSetUp = () => {
  const { project, store } = useProjectData()
  const [keyFor] = useState(keysOf)
  return useWrite({
    send: ({ already, wanted }: { readonly wanted: Wanted; readonly already: Made }) =>
      setUp(project.headers, wanted, already, keyFor),
    learn: (_, { monitor }) => store.put(monitor),
    stale: [rulesQuery(project).queryKey]
  })
}
