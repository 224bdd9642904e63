/** The bodies of incidents and maintenance windows. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { MonitorId } from "@kanmon/domain/Ids"
import { visible } from "@kanmon/domain/Line"
import { type Incident, IncidentStatus, MaintenanceSeries, Message, Title } from "@kanmon/domain/Incident"
import { Timestamp, toIso } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const orNull = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const text = Message.check(Schema.isPattern(/\S/, { message: "Expected some text" }))

/** The fields of a new incident. */
export const incidentFields = {
  key: Body.key,
  title: Title.check(visible).annotate({ description: "Heading of the incident" }),
  status: IncidentStatus.annotate({ description: "Progress of the incident" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("investigating" as const))
  ),
  message: Schema.optionalKey(text.annotate({ description: "Text of the timeline entry; required on creation" })),
  monitorIds: Schema.Array(MonitorId)
    .check(Schema.isMaxLength(1000))
    .annotate({ description: "Affected monitors" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  tags: Body.followedTags(
    "Set of tags: the monitors that carry any of them are affected too. A monitor that gains one joins an open maintenance window, and one that loses it leaves"
  ),
  maintenance: Schema.Boolean.annotate({
    description: "Whether this is a maintenance window, in which no alerts are sent and no downtime counts"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  scheduledStart: orNull(Timestamp).annotate({ description: "Beginning of the maintenance window" }),
  scheduledEnd: orNull(Timestamp).annotate({
    description: "End of the maintenance window, at which it is resolved"
  }),
  recurrence: orNull(boundedText(600)).annotate({
    description:
      "RFC 5545 RRULE such as `FREQ=WEEKLY;BYDAY=SU`, from daily to yearly: when this window is over, the next one is scheduled as an incident of its own. Null ends the series"
  }),
  timezone: orNull(boundedText(100)).annotate({
    description: "IANA time zone of the recurrence; null means UTC"
  }),
  series: orNull(MaintenanceSeries).annotate({
    description:
      "First window of a recurring maintenance, instead of `scheduledStart` and `scheduledEnd`: the first window of the series that is not over yet is scheduled"
  })
}

/** The fields of a change. */
export const changeFields = {
  ...incidentFields,
  announcement: Schema.optionalKey(
    text.annotate({
      description:
        "Replaces the text of the first timeline entry of a maintenance window. The following windows of its series begin with it too"
    })
  )
}

type Sent = Schema.Struct<typeof incidentFields>["Encoded"]

/** The body of a new incident, as it is sent. */
export type IncidentRequest = Sent & { readonly message: string }

/** The body of a change. Fields that are left out stay as they are; null puts a field back to its default. */
export type IncidentUpdate = Body.Change<Schema.Struct<typeof changeFields>["Encoded"]>

/** The fields of a body. */
export interface IncidentChange {
  readonly draft: Pick<
    Incident,
    | "key"
    | "title"
    | "status"
    | "monitorIds"
    | "tags"
    | "maintenance"
    | "scheduledStart"
    | "scheduledEnd"
    | "recurrence"
    | "timezone"
  >
  readonly message: string | undefined
  /** Schedules the window, which then has neither start nor end in the draft. */
  readonly series?: MaintenanceSeries
  readonly announcement?: string
}

const decodeFields = decodeStrict(Schema.Struct(incidentFields))
const decodeChange = decodeStrict(Schema.Struct(changeFields))

type Fields = Schema.Struct<typeof changeFields>["Type"]

const decodeWith =
  (decoded: (body: unknown) => Result.Result<Fields, InvalidFields>) =>
  (body: unknown): Result.Result<IncidentChange, InvalidFields> => {
    return Result.flatMap(Body.fit(decoded)(body), ({ announcement, message, series, ...fields }) => {
      const draft = {
        ...fields,
        monitorIds: [...new Set(fields.monitorIds)],
        tags: [...new Set(fields.tags)],
        timezone: fields.recurrence === null ? fields.timezone : (fields.timezone ?? "UTC")
      }
      const change = {
        draft,
        message,
        ...(series === null ? {} : { series }),
        ...(announcement === undefined ? {} : { announcement })
      }
      const errors = objections(change)
      return errors.length > 0 ? Result.fail(new InvalidFields({ errors })) : Result.succeed(change)
    })
  }

/** Decodes a change; every broken field is named. Whether monitors exist and rules can be used is for those who know. */
export const decode = decodeWith(decodeChange)

const decodeCreated = decodeWith(decodeFields)

/** On creation there is something to say. */
export const decodeNew = (body: unknown): Result.Result<IncidentChange & { readonly message: string }, InvalidFields> =>
  Result.flatMap(decodeCreated(body), ({ message, ...change }) =>
    message === undefined
      ? Result.fail(new InvalidFields({ errors: [{ path: "message", message: "Required" }] }))
      : Result.succeed({ ...change, message })
  )

const objections = ({ announcement, draft, series }: IncidentChange): ReadonlyArray<FieldError> => {
  const { key, maintenance, recurrence, scheduledEnd, scheduledStart, timezone } = draft
  if (!maintenance)
    return Object.entries({ key, scheduledStart, scheduledEnd, recurrence, timezone, series, announcement }).flatMap(
      ([path, value]) =>
        (value ?? null) === null ? [] : [{ path, message: "Only a maintenance window has this: add maintenance: true" }]
    )
  const errors: Array<FieldError> = []
  if (series !== undefined) {
    for (const [path, value] of Object.entries({ scheduledStart, scheduledEnd }))
      if (value !== null) errors.push({ path, message: "The series schedules the window: send one of the two" })
    if (recurrence === null) errors.push({ path: "recurrence", message: "Required for a series" })
    if (series.start >= series.end)
      errors.push({ path: "series.end", message: "Expected an instant after series.start" })
    return errors
  }
  if (scheduledStart === null) errors.push({ path: "scheduledStart", message: "Required for a maintenance window" })
  if (scheduledEnd === null) errors.push({ path: "scheduledEnd", message: "Required for a maintenance window" })
  if (scheduledStart !== null && scheduledEnd !== null && scheduledStart >= scheduledEnd)
    errors.push({ path: "scheduledEnd", message: "Expected an instant after scheduledStart" })
  if (recurrence === null && timezone !== null)
    errors.push({ path: "timezone", message: "Belongs to a recurrence: add one, or leave this out" })
  return errors
}

/** Lays a change over an incident. Without its recurrence a window needs no time zone; null puts a field back to its default. */
export const merge = (current: IncidentChange["draft"], change: unknown): unknown => {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change
  const { key, maintenance, monitorIds, recurrence, scheduledEnd, scheduledStart, status, tags, timezone, title } =
    current
  const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))
  const single = "recurrence" in change && change.recurrence === null
  const bySeries = "series" in change && change.series !== null
  return Body.cleared(changeFields, {
    key,
    title,
    status,
    monitorIds,
    tags,
    maintenance,
    scheduledStart: bySeries ? null : isoOrNull(scheduledStart),
    scheduledEnd: bySeries ? null : isoOrNull(scheduledEnd),
    recurrence,
    timezone: single ? null : timezone,
    ...change
  })
}
