/** Escalation policies over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import type * as EscalationPolicyBody from "@kanmon/protocol/EscalationPolicyBody"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { entriesOf, NotificationRules, Reach } from "../contact-methods/index.ts"
import { Policies } from "./Policies.ts"
import { PolicyPreviews } from "./PolicyPreviews.ts"
import { refusing } from "./PolicyProblems.ts"
import * as PolicyWrites from "./PolicyWrites.ts"
import { draftOf, type StoredPolicy } from "./PolicyRecords.ts"
import { lateEntries, peopleIn, PolicyReferences, toldAlready, withReach } from "./PolicyReferences.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "escalationPolicies",
  Effect.fnUntraced(function* (handlers) {
    const policies = yield* Policies
    const writes = yield* PolicyWrites.make
    const previews = yield* PolicyPreviews
    const references = yield* PolicyReferences
    const reach = yield* Reach.make
    const rules = yield* NotificationRules

    const all = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredPolicy>) {
      const warnings = yield* references.warnings(yield* CallerOrganization, stored)
      const people = [...(yield* rules.ofUsers([...new Set(stored.flatMap(peopleIn))]))]
      const reached = new Map(people.map(([userId, one]) => [userId, reach.of(one)]))
      const lists = new Map(
        people.map(([userId, one]) => [userId, entriesOf(one, "critical").map(({ afterMinutes }) => afterMinutes)])
      )
      const telling = Map.groupBy(yield* policies.toldByRules(stored.map(({ id }) => id)), ({ policyId }) => policyId)
      return stored.map((policy, index): EscalationPolicyBody.EscalationPolicy => {
        const { createdAt, id, organizationId, updatedAt } = policy
        return {
          id,
          organizationId,
          ...draftOf(policy),
          warnings: [
            ...withReach(policy, warnings[index]!, reached),
            ...lateEntries(policy, lists),
            ...toldAlready(policy, telling.get(id) ?? [])
          ],
          createdAt,
          updatedAt
        }
      })
    })
    const shown = (stored: StoredPolicy) => Effect.map(all([stored]), ([policy]) => policy!)

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(CallerOrganization, (id) => Effect.flatMap(policies.list(id, query.key), all)),
      get: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => policies.get(id, params.policyId)).pipe(
          Effect.flatMap(shown),
          refusing
        ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          return yield* shown(yield* writes.create(yield* CallerOrganization, payload))
        }),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          return yield* shown(yield* writes.update(yield* CallerOrganization, params.policyId, payload))
        }),
      remove: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => writes.remove(id, params.policyId)).pipe(
          Effect.as({ id: params.policyId, deleted: true as const })
        ),
      preview: ({ payload, query }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const draft = yield* PolicyWrites.policyIn(payload)
          yield* references.admit(id, draft)
          // No rule can have a policy that is not stored yet.
          return { ...(yield* previews.of(id, draft, query)), warnings: [] }
        }).pipe(refusing),
      previewChange: ({ params, payload, query }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const before = yield* policies.get(id, params.policyId)
          const draft = yield* Effect.fromResult(PolicyWrites.revising(payload)(draftOf(before)))
          yield* references.admit(id, draft, before)
          const warnings = toldAlready(draft, yield* policies.toldByRules([params.policyId]))
          return { ...(yield* previews.of(id, draft, query)), warnings }
        }).pipe(refusing)
    })
  })
)
