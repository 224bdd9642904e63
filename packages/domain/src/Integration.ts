/** Integrations: other software that sends its alerts to a project. */
import { Effect, Schema } from "effect"
import { boundedText, filledText } from "./BoundedText.ts"
import { FieldError } from "./FieldErrors.ts"
import { InboundBodyId, IntegrationId, ProjectId, RuleId } from "./Ids.ts"
import { JsonPointer } from "./JsonPointer.ts"
import { Key } from "./Key.ts"
import { Name } from "./Monitor.ts"
import { Timestamp } from "./Timestamp.ts"

export const IntegrationType = Schema.Literals(["alertmanager", "grafana", "generic"]).annotate({
  description:
    "The form of the bodies: `alertmanager` (the webhook of Alertmanager, version 4), `grafana` (the webhook of Grafana's unified alerting), or `generic`"
})
export type IntegrationType = typeof IntegrationType.Type

const pointer = (description: string) => Schema.optionalKey(JsonPointer.annotate({ description }))

/** Where the parts of an alert are in a body of another form, as JSON Pointers (RFC 6901). */
export const InboundMapping = Schema.Struct({
  alerts: pointer("The list of alerts; by default the whole body is one alert, or the list"),
  key: pointer("What identifies an alert; by default `/key`. This and all others begin at the alert"),
  status: pointer("Whether it fires; by default `/status`"),
  title: pointer("By default `/title`"),
  severity: pointer("By default `/severity`"),
  description: pointer("By default `/description`"),
  link: pointer("By default `/link`"),
  labels: pointer("By default `/labels`"),
  resolvedValues: Schema.optionalKey(
    Schema.Array(filledText(64)).check(Schema.isMaxLength(20)).annotate({
      description:
        "Values of the status that mean that the alert is over; every other value then means that it fires. By default the usual words, such as `firing`, `open`, `resolved` and `ok`"
    })
  )
}).annotate({ identifier: "InboundMapping" })
export type InboundMapping = typeof InboundMapping.Type

const minutes = (description: string) =>
  Schema.NullOr(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 43_200 }, { message: "Expected a whole number from 1 to 43200" })
    )
  )
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

export const resolveAfterMinutes = minutes(
  "Minutes after which an alert resolves that its sender stops sending; null: it stays open until it is resolved"
)
export const quietAfterMinutes = minutes(
  "Minutes without a readable body after which an alert of severity `warning` opens by the rule, because the sender may be gone; it resolves with the next body. Null: never"
)

export const Integration = Schema.Struct({
  id: IntegrationId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  type: IntegrationType,
  ruleId: RuleId.annotate({ description: "The rule by which its alerts notify, with the trigger `external`" }),
  mapping: Schema.NullOr(InboundMapping).annotate({ description: "Of a `generic` integration; null for the others" }),
  resolveAfterMinutes: Schema.NullOr(Schema.Int),
  quietAfterMinutes: Schema.NullOr(Schema.Int),
  lastReceivedAt: Schema.NullOr(Timestamp).annotate({
    description: "When its sender was last understood; null: never"
  }),
  quiet: Schema.Boolean.annotate({ description: "Whether nothing came for `quietAfterMinutes`" }),
  openAlerts: Schema.Int.annotate({ description: "How many of its alerts are open" }),
  rejected: Schema.Int.annotate({ description: "How many bodies with errors are kept, at most 20" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Integration" })
export type Integration = typeof Integration.Type

/** The largest number of bodies with errors that are kept of an integration. */
export const keptBodies = 20

/** The kept beginning of a body, in characters. */
export const keptBodyLength = 16_384

/** A body with something that was not understood. */
export const InboundBody = Schema.Struct({
  id: InboundBodyId,
  at: Timestamp,
  refused: Schema.Boolean.annotate({ description: "Whether nothing in it was taken" }),
  errors: Schema.Array(FieldError).annotate({ description: "What was expected in its place" }),
  body: boundedText(keptBodyLength).annotate({ description: "The body as it was sent, up to 16,384 characters" }),
  truncated: Schema.Boolean.annotate({ description: "Whether only the beginning of the body is kept" })
}).annotate({ identifier: "InboundBody" })
export type InboundBody = typeof InboundBody.Type
