/** Every new project has a rule for certificates and domains that are about to expire. */
import { expiryTriggers } from "@kanmon/domain/AlertRule"
import { Effect, Layer } from "effect"
import { ProjectCreated } from "@kanmon/identity/projects"
import { AlertRules, type RuleDraft } from "./AlertRules.ts"

const defaultRule: RuleDraft = {
  name: "Certificates and domains",
  monitorIds: [],
  channelIds: [],
  triggers: expiryTriggers,
  consecutiveFailures: 1,
  resendEvery: 0
}

export const layer = Layer.effect(
  ProjectCreated,
  Effect.map(AlertRules, (rules) => (id) => Effect.orDie(Effect.asVoid(rules.create(id, defaultRule))))
)
