/** Writes alert rules from the bodies of requests, with what is refused as problems. */
import type { ProjectId, RuleId } from "@kanmon/domain/Ids"
import type { RuleNotFound } from "@kanmon/domain/NotFound"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect } from "effect"
import { OrganizationQuotas } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import { AlertRules, type RuleInUse } from "./AlertRules.ts"
import * as RuleValidation from "./RuleValidation.ts"

export const make = Effect.gen(function* () {
  const alertRules = yield* AlertRules
  const validation = yield* RuleValidation.make
  const within = yield* OrganizationQuotas.make

  return {
    create: (projectId: ProjectId, body: unknown) =>
      Effect.gen(function* () {
        const draft = yield* validation.onCreate(projectId, body)
        return yield* within({ projectId }, "alertRules", alertRules.create(projectId, draft))
      }).pipe(refusing),
    update: (projectId: ProjectId, id: RuleId, body: object) =>
      alertRules.update(projectId, id, validation.onUpdate(projectId, body)).pipe(refusing),
    remove: (projectId: ProjectId, id: RuleId) => alertRules.remove(projectId, id).pipe(refusing)
  }
})

const refusing = asProblem({
  RuleNotFound: (_: RuleNotFound) => notFound("alert rule"),
  RuleInUse: ({ integrations }: RuleInUse) =>
    new Problem({
      code: "conflict",
      detail: `Integrations open alerts by this rule: ${integrations.slice(0, 10).join(", ")}. Give them another rule first`
    }),
  KeyTaken: (_: KeyTaken) => KeyConflict.problem("alert rule")
})
