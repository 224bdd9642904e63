/** Checks the body of an alert rule against what only the installation knows: the project's monitors and channels. */
import type { AlertRule } from "@kanmon/domain/AlertRule"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ProjectId } from "@kanmon/domain/Ids"
import * as RuleBody from "@kanmon/protocol/RuleBody"
import { Effect } from "effect"
import { Channels } from "../channels/index.ts"
import { AlertEscalations } from "./AlertHooks.ts"
import { AlertRules } from "./AlertRules.ts"

export const make = Effect.gen(function* () {
  const rules = yield* AlertRules
  const channels = yield* Channels
  const escalations = yield* AlertEscalations

  /** A rule may go on naming what has been deleted since. */
  const decode = Effect.fnUntraced(function* (projectId: ProjectId, body: unknown, current?: AlertRule) {
    const draft = yield* Effect.fromResult(RuleBody.decode(body))
    const monitors = yield* rules.unknownMonitors(projectId, draft.monitorIds)
    const unknownChannels = yield* channels.unknown(projectId, draft.channelIds)
    const errors = [
      ...unknownIds("monitorIds", draft.monitorIds, monitors, current?.monitorIds),
      ...unknownIds("channelIds", draft.channelIds, unknownChannels, current?.channelIds)
    ]
    const { escalationPolicyId: id, escalationPolicyKey: key, ...rest } = draft
    const escalationPolicyId = id ?? key
    const policy = escalationPolicyId === null ? null : yield* escalations.find(projectId, { id, key })
    if (policy === undefined)
      errors.push({
        path: id === null ? "escalationPolicyKey" : "escalationPolicyId",
        message: `The organization has no escalation policy ${escalationPolicyId}`
      })
    if (errors.length > 0 || policy === undefined) return yield* new InvalidFields({ errors })
    return { ...rest, escalationPolicyId: policy }
  })

  return {
    /** Decodes and checks the body of a new rule. */
    onCreate: (projectId: ProjectId, body: unknown) => decode(projectId, body),
    /** Decodes and checks a change, to be run on the rule under its lock. */
    onUpdate: (projectId: ProjectId, body: object) => (current: AlertRule) =>
      decode(projectId, RuleBody.merge(current, body), current)
  }
})

const unknownIds = (
  path: string,
  ids: ReadonlyArray<string>,
  unknown: ReadonlySet<string>,
  kept: ReadonlyArray<string> = []
): ReadonlyArray<FieldError> =>
  ids.flatMap((id, index) =>
    unknown.has(id) && !kept.includes(id) ? [{ path: `${path}[${index}]`, message: `This project has no ${id}` }] : []
  )
