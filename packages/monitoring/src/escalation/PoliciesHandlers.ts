/** Escalation policies over HTTP: each handler only translates. */
import { Api } from "@kanmon/protocol/Api"
import * as EscalationPolicyBody from "@kanmon/protocol/EscalationPolicyBody"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import * as Payload from "@kanmon/platform/http/Payload"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { entriesOf, NotificationRules, Reach } from "../contact-methods/index.ts"
import { Policies, type Revision } from "./Policies.ts"
import { PolicyPreviews } from "./PolicyPreviews.ts"
import { refusing } from "./PolicyProblems.ts"
import { draftOf, type StoredPolicy } from "./PolicyRecords.ts"
import { lateEntries, peopleIn, PolicyReferences, toldAlready, withReach } from "./PolicyReferences.ts"

const policyIn = Payload.read(EscalationPolicyBody.decode)
const revising =
  (payload: unknown): Revision =>
  (current) =>
    EscalationPolicyBody.decode(EscalationPolicyBody.merge(current, payload))

export const layer = HttpApiBuilder.group(
  Api,
  "escalationPolicies",
  Effect.fnUntraced(function* (handlers) {
    const policies = yield* Policies
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
          return yield* shown(yield* policies.create(yield* CallerOrganization, yield* policyIn(payload)))
        }).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          return yield* shown(yield* policies.update(yield* CallerOrganization, params.policyId, revising(payload)))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(CallerOrganization, (id) => policies.remove(id, params.policyId)).pipe(
          Effect.as({ id: params.policyId, deleted: true as const }),
          refusing
        ),
      preview: ({ payload, query }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const draft = yield* policyIn(payload)
          yield* references.admit(id, draft)
          // No rule can have a policy that is not stored yet.
          return { ...(yield* previews.of(id, draft, query)), warnings: [] }
        }).pipe(refusing),
      previewChange: ({ params, payload, query }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const before = yield* policies.get(id, params.policyId)
          const draft = yield* Effect.fromResult(revising(payload)(draftOf(before)))
          yield* references.admit(id, draft, before)
          const warnings = toldAlready(draft, yield* policies.toldByRules([params.policyId]))
          return { ...(yield* previews.of(id, draft, query)), warnings }
        }).pipe(refusing)
    })
  })
)
