/** The table of escalation policies. */
import { namedBy } from "@kanmon/domain/EscalationPolicy"
import { ChannelId, EscalationPolicyId, type OrganizationId } from "@kanmon/domain/Ids"
import { byName } from "@kanmon/domain/SearchText"
import { databaseDies } from "@kanmon/platform/database/Database"
import { type KeyTaken, keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as Rows from "@kanmon/platform/database/Rows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { draftOf, PolicyRow, type StoredPolicy, storedPlan, storedPolicy } from "./PolicyRecords.ts"

export class PolicyRepository extends Context.Service<PolicyRepository>()(
  "@kanmon/monitoring/escalation/PolicyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const policies = sql`SELECT id, organization_id AS "organizationId", key, name, plan, created_at AS "createdAt",
          updated_at AS "updatedAt" FROM escalation_policies`
      const one = (statement: Statement.Statement<unknown>) =>
        Effect.map(policyRow(statement), (row) => row && storedPolicy(row))
      const columns = (policy: StoredPolicy) => {
        const { key: _, name: __, ...plan } = draftOf(policy)
        return {
          plan: JSON.stringify(storedPlan.encode(plan)),
          named: [...new Set(namedBy(policy).map(({ id }) => id))]
        }
      }

      return {
        /** By name. */
        list: Effect.fn("PolicyRepository.list")((id: OrganizationId, key?: string) =>
          Effect.map(
            policyRows(sql`${policies} WHERE organization_id = ${id}
              ${key === undefined ? sql`` : sql`AND key = ${key}`}`),
            (rows) => byName(rows.map(storedPolicy))
          )
        ),
        find: Effect.fn("PolicyRepository.find")((id: OrganizationId, policyId: EscalationPolicyId) =>
          one(sql`${policies} WHERE id = ${policyId} AND organization_id = ${id}`)
        ),
        /** The same, locked until the transaction ends. */
        lock: Effect.fn("PolicyRepository.lock")((id: OrganizationId, policyId: EscalationPolicyId) =>
          one(sql`${policies} WHERE id = ${policyId} AND organization_id = ${id} FOR UPDATE`)
        ),
        count: (id: OrganizationId) =>
          Effect.map(
            total(sql`SELECT count(*) AS count FROM escalation_policies WHERE organization_id = ${id}`),
            ({ count }) => count
          ),
        insert: Effect.fn("PolicyRepository.insert")((policy: StoredPolicy) => {
          const { named, plan } = columns(policy)
          return written(sql`INSERT INTO escalation_policies (id, organization_id, key, name, plan, named, created_at,
              updated_at)
            VALUES (${policy.id}, ${policy.organizationId}, ${policy.key}, ${policy.name}, ${plan}::jsonb,
              ${named}::text[], ${new Date(policy.createdAt)}, ${new Date(policy.updatedAt)})`)
        }),
        update: Effect.fn("PolicyRepository.update")((policy: StoredPolicy) => {
          const { named, plan } = columns(policy)
          return written(sql`UPDATE escalation_policies SET key = ${policy.key}, name = ${policy.name},
              plan = ${plan}::jsonb, named = ${named}::text[], updated_at = ${new Date(policy.updatedAt)}
            WHERE id = ${policy.id}`)
        }),
        remove: (policyId: EscalationPolicyId) =>
          Effect.asVoid(Effect.orDie(sql`DELETE FROM escalation_policies WHERE id = ${policyId}`)),
        /** The names of alert rules that have a policy. */
        rules: Effect.fn("PolicyRepository.rules")((policyId: EscalationPolicyId) =>
          Effect.map(names(sql`SELECT id, name FROM alert_rules WHERE escalation_policy_id = ${policyId}`), (rows) =>
            byName(rows).map(({ name }) => name)
          )
        ),
        /** The channels that alert rules with these policies notify by themselves, with the names of the rules. */
        toldByRules: Effect.fn("PolicyRepository.toldByRules")((ids: ReadonlyArray<EscalationPolicyId>) =>
          ids.length === 0
            ? Effect.succeed([])
            : Effect.map(
                tellingRules(sql`SELECT r.id, r.escalation_policy_id AS "policyId", r.name, r.channel_ids AS "channelIds"
                FROM alert_rules r WHERE r.escalation_policy_id = ANY(${ids}::text[]) AND cardinality(r.channel_ids) > 0`),
                byName
              )
        ),
        /** The names of the policies of an organization that name a schedule, a person, a team or a channel. */
        naming: Effect.fn("PolicyRepository.naming")((id: OrganizationId, named: string) =>
          Effect.map(
            names(sql`SELECT id, name FROM escalation_policies WHERE organization_id = ${id}
              AND named @> ARRAY[${named}]::text[]`),
            (rows) => byName(rows).map(({ name }) => name)
          )
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(PolicyRepository, PolicyRepository.make)
}

const written = (statement: Effect.Effect<unknown, SqlError.SqlError>): Effect.Effect<void, KeyTaken> =>
  Effect.asVoid(databaseDies(keyTakenAsAnswer(statement)))

const policyRow = Rows.first(PolicyRow)
const policyRows = Rows.all(PolicyRow)
const names = Rows.all(Schema.Struct({ id: Schema.String, name: Schema.String }))
const tellingRules = Rows.all(
  Schema.Struct({
    id: Schema.String,
    policyId: EscalationPolicyId,
    name: Schema.String,
    channelIds: Schema.Array(ChannelId)
  })
)
const total = Rows.one(Schema.Struct({ count: Rows.Count }))
