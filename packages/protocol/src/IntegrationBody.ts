/** The bodies of integrations. */
import { decodeStrict, FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { RuleId } from "@kanmon/domain/Ids"
import {
  InboundMapping,
  Integration,
  IntegrationType,
  quietAfterMinutes,
  resolveAfterMinutes
} from "@kanmon/domain/Integration"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

export const integrationFields = {
  key: Body.key,
  name: Body.name.annotate({ description: "Display name, also of who resolves and reopens its alerts" }),
  type: IntegrationType,
  ruleId: RuleId.annotate({
    description:
      "The rule by which its alerts notify. Its only trigger is `external`, and it cannot be deleted meanwhile"
  }),
  mapping: Schema.NullOr(InboundMapping)
    .annotate({
      description: "Where the parts of an alert are, for `generic` bodies of another form; null: as described"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  resolveAfterMinutes,
  quietAfterMinutes
}

/** The body of a new integration, as it is sent. */
export type IntegrationRequest = Schema.Struct<typeof integrationFields>["Encoded"]

/** The body of a change. */
export type IntegrationUpdate = Body.Change<IntegrationRequest>

export type IntegrationDraft = Schema.Struct<typeof integrationFields>["Type"]

/** An integration with its address, which is shown once. */
export const AddressedIntegration = Schema.Struct({
  ...Integration.fields,
  address: Schema.String.annotate({
    description:
      "Where its sender posts its alerts. Anyone with the address can open alerts, so it is shown only this once"
  })
}).annotate({ identifier: "AddressedIntegration" })

/** The answer to a body of alerts. */
export const Received = Schema.Struct({
  received: Schema.Int.annotate({ description: "How many alerts were taken" }),
  warnings: Schema.optionalKey(
    Schema.Array(FieldError).annotate({
      description: "Parts of the body that were not taken, or that the sender left out"
    })
  )
}).annotate({ identifier: "InboundAnswer" })

const decodeFields = Body.fit(decodeStrict(Schema.Struct(integrationFields)))

/** Decodes an integration's body; every broken field is named. */
export const decode = (body: unknown): Result.Result<IntegrationDraft, InvalidFields> =>
  Result.flatMap(decodeFields(body), (draft) =>
    draft.mapping !== null && draft.type !== "generic" ? Result.fail(misplacedMapping) : Result.succeed(draft)
  )

const misplacedMapping = new InvalidFields({
  errors: [{ path: "mapping", message: "Expected null: only generic bodies are mapped" }]
})

/** Lays a change over an integration; null puts a field back to its default. */
export const merge = (current: Integration, change: unknown): unknown => {
  if (!Body.isObject(change)) return change
  const { key, mapping, name, quietAfterMinutes: quiet, resolveAfterMinutes: resolve, ruleId, type } = current
  const own = { key, mapping, name, quietAfterMinutes: quiet, resolveAfterMinutes: resolve, ruleId, type }
  return Body.cleared(integrationFields, { ...own, ...change })
}
