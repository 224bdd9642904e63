/** Says who would be notified about a monitor, without sending anything. */
import { RecipientPolicy } from "@kanmon/core/Recipient"
import { notifying } from "@kanmon/domain/Alerting"
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import type { RulePreview } from "@kanmon/protocol/RuleBody"
import { Clock, Context, Effect, Layer } from "effect"
import { RulePreviewRepository } from "./RulePreviewRepository.ts"

export class RulePreviews extends Context.Service<RulePreviews>()("@kanmon/monitoring/alerts/RulePreviews", {
  make: Effect.gen(function* () {
    const repository = yield* RulePreviewRepository
    const policy = yield* RecipientPolicy

    const of = Effect.fn("RulePreviews.of")(function* (projectId: ProjectId, monitorId: MonitorId) {
      const monitor = yield* repository.findMonitor(projectId, monitorId, yield* Clock.currentTimeMillis)
      if (monitor === undefined) return yield* new MonitorNotFound({ id: monitorId })
      const rules = yield* repository.findRules(projectId)
      const channels = new Map((yield* repository.findChannels(projectId)).map((channel) => [channel.id, channel]))
      return {
        monitorId,
        quiet: quietOf(monitor),
        rules: notifying(monitorId, monitor.tags, rules, [...channels.keys()]).map(({ channelIds, rule }) => ({
          id: rule.id,
          name: rule.name,
          triggers: rule.triggers,
          consecutiveFailures: rule.consecutiveFailures,
          resendEvery: rule.resendEvery,
          channels: channelIds.map((id) => {
            const { confirmation, disabledReason, name, type } = channels.get(id)!
            const unconfirmed = policy.confirm && confirmation === "pending"
            return { id, name, type, blocked: disabledReason ?? (unconfirmed ? waiting : null) }
          })
        }))
      }
    })

    return { of }
  })
}) {
  static readonly layer = Layer.effect(RulePreviews, RulePreviews.make)
}

const waiting = "The recipient has not confirmed that it wants notifications"

const quietOf = ({
  maintenanceUntil,
  paused,
  silencedUntil
}: {
  readonly paused: boolean
  readonly maintenanceUntil: number | null
  readonly silencedUntil: number | null
}): RulePreview["quiet"] => {
  if (paused) return { by: "paused", until: null }
  if (maintenanceUntil !== null) return { by: "maintenance", until: maintenanceUntil }
  return silencedUntil === null ? null : { by: "silence", until: silencedUntil }
}
