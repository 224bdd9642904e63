/** The bodies of drills. */
import { DrillEvery } from "@kanmon/domain/Drill"
import { decodeStrict, InvalidFields } from "@kanmon/domain/FieldErrors"
import { EscalationPolicyId, MonitorId, RuleId } from "@kanmon/domain/Ids"
import { TimeZone } from "@kanmon/domain/TimeZone"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const orNull = <Field extends Schema.Constraint>(field: Field, description: string) =>
  Schema.NullOr(field)
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

export const drillFields = {
  policyId: orNull(EscalationPolicyId, "The escalation policy to try, as for a critical alert"),
  ruleId: orNull(RuleId, "The alert rule to try, with its channels and its policy"),
  monitorId: orNull(MonitorId, "The monitor to try: every rule by which an outage of it notifies"),
  startsAt: orNull(Timestamp, "When it begins, within two years; null: now"),
  every: orNull(DrillEvery, "How often it is repeated; null: it is not"),
  timezone: Schema.NullOr(TimeZone)
    .annotate({ description: "IANA time zone in which it is repeated at the same local time; null: UTC" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

/** The body of a new drill, as it is sent. */
export type DrillRequest = Schema.Struct<typeof drillFields>["Encoded"]

export type DrillDraft = Schema.Struct<typeof drillFields>["Type"]

const decodeFields = Body.fit(decodeStrict(Schema.Struct(drillFields)))

/** Decodes a drill's body; every broken field is named. */
export const decode = (body: unknown): Result.Result<DrillDraft, InvalidFields> =>
  Result.flatMap(decodeFields(body), (draft) =>
    [draft.policyId, draft.ruleId, draft.monitorId].filter((id) => id !== null).length === 1
      ? Result.succeed(draft)
      : Result.fail(
          new InvalidFields({
            errors: [{ path: "policyId", message: "Expected exactly one of policyId, ruleId, monitorId" }]
          })
        )
  )
