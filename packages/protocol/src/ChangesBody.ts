/** Changes of several records of a project and its organization that are made together: all of them, or none. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { UserId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Result, Schema } from "effect"
import * as Body from "./Body.ts"
import { Warning } from "./MonitorBody.ts"

/** The kinds of records that configuration files manage. */
export const changeKinds = [
  "channel",
  "monitor",
  "maintenance",
  "schedule",
  "policy",
  "rule",
  "integration",
  "page"
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** The kinds of records that belong to the organization of the project. */
export const organizationKinds = ["schedule", "policy"] as const satisfies ReadonlyArray<ChangeKind>

/** The most changes, and the most JSON values and bytes, of one request. */
export const maxChanges = 2_000
export const maxValues = 50_000
export const maxBytes = 2 * 1024 * 1024
/** The most JSON values in the body of one change, as in the request of a single record. */
export const maxValuesOfOne = 10_000

const kind = Schema.Literals(changeKinds).annotate({
  description:
    "`maintenance` is a maintenance window, with the body of an incident; `schedule` and `policy` are the on-call schedules and escalation policies of the project's organization"
})
const id = boundedText(100).annotate({ description: "The ID of the record" })
const body = Schema.Unknown.annotate({ description: "The body of the request that does this alone" })

const ifUpdatedAt = Schema.optionalKey(
  Timestamp.annotate({
    description:
      "The `updatedAt` with which the record was read: if it is another one by now, the change is refused with `precondition_failed`"
  })
)

/** One change: the operation of the API for a single record. */
export const Change = Schema.Union([
  Schema.Struct({ action: Schema.Literal("create"), kind, body }),
  Schema.Struct({ action: Schema.Literal("update"), kind, id, ifUpdatedAt, body }),
  Schema.Struct({ action: Schema.Literal("delete"), kind, id, ifUpdatedAt })
])
export type Change = typeof Change.Type

export const changesFields = {
  dryRun: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Judge the changes as if they were made, and make none of them" })
  ),
  changes: Schema.Array(Schema.Unknown)
    .check(
      Schema.isMinLength(1, { message: "Expected at least one change" }),
      Schema.isMaxLength(maxChanges, { message: `Expected at most ${maxChanges} changes` })
    )
    .annotate({ description: "In the order in which they are made" })
}

/** The body as it is sent. */
export interface ChangesRequest {
  readonly dryRun?: boolean
  readonly changes: ReadonlyArray<
    | { readonly action: "create"; readonly kind: ChangeKind; readonly body: Schema.JsonObject }
    | {
        readonly action: "update"
        readonly kind: ChangeKind
        readonly id: string
        /** As the API returned it. */
        readonly ifUpdatedAt?: string
        readonly body: Schema.JsonObject
      }
    | { readonly action: "delete"; readonly kind: ChangeKind; readonly id: string; readonly ifUpdatedAt?: string }
  >
}

/** The handler reads the changes one by one: reading all of them at once would hold the event loop. */
export const ChangesRequest: Schema.Codec<ChangesRequest> = Schema.declare(
  (sent): sent is ChangesRequest => sent !== undefined,
  { identifier: "ChangesRequest", toCodecJson: () => undefined }
)

/** The result of one change, or of its dry run. */
export const ChangeResult = Schema.Struct({
  id: Schema.String.annotate({ description: "The record. In a dry run, a new record has an ID that is not kept" }),
  warnings: Schema.optionalKey(
    Schema.Array(Warning).annotate({ description: "As in the answer to a single change; absent when there are none" })
  ),
  movedUserIds: Schema.optionalKey(
    Schema.Array(UserId).annotate({
      description:
        "With a changed schedule, the people who are on call at other times than before; absent when there are none"
    })
  )
})
export type ChangeResult = typeof ChangeResult.Type

export const ChangesResult = Schema.Struct({
  dryRun: Schema.Boolean,
  results: Schema.Array(ChangeResult).annotate({ description: "One for each change, in their order" })
})

const actions = ["create", "update", "delete"]

/** Decodes a change; one with an unknown action is refused for that, rather than for fitting none of them. */
const decodeShape = (sent: unknown): Result.Result<Change, InvalidFields> =>
  typeof sent === "object" && sent !== null && !("action" in sent && actions.includes(String(sent.action)))
    ? Result.fail(new InvalidFields({ errors: [{ path: "action", message: `Expected one of ${actions.join(", ")}` }] }))
    : decodeOne(sent)

const decodeFields = decodeStrict(Schema.Struct(changesFields))
const decodeOne = decodeStrict(Change)

/** Reads the body, except for its changes. */
export const decode = decodeFields

/** Reads the change at a place, except for its body, which the operation reads. */
export const decodeChange = (sent: unknown, index: number): Result.Result<Change, InvalidFields> =>
  Result.mapError(
    Result.flatMap(decodeShape(sent), (change): Result.Result<Change, InvalidFields> => {
      if (change.action === "delete") return Result.succeed(change)
      const message =
        typeof change.body !== "object" || change.body === null || Array.isArray(change.body)
          ? "Expected an object"
          : exceeds(change.body, maxValuesOfOne)
            ? `Expected at most ${maxValuesOfOne} values`
            : undefined
      const objection = message === undefined ? Body.objection(change.body) : { path: "", message }
      return objection === undefined
        ? Result.succeed(change)
        : Result.fail(new InvalidFields({ errors: [inside("body", objection)] }))
    }),
    (error) => atPlace(index, error)
  )

/** Whether a JSON value consists of more than so many values. */
export const exceeds = (value: unknown, limit: number): boolean => valuesIn(value, limit) > limit

/** How many values a JSON value consists of, counted up to a limit. */
export const valuesIn = (value: unknown, limit: number): number => {
  if (typeof value !== "object" || value === null) return 1
  let count = 1
  for (const inner of Object.values(value)) {
    count += valuesIn(inner, limit)
    if (count > limit) break
  }
  return count
}

const inside = (parent: string, { message, path }: FieldError): FieldError => ({
  path: path === "" ? parent : path.startsWith("[") ? `${parent}${path}` : `${parent}.${path}`,
  message
})

/** The errors of a change, named as those of its place. */
export const atPlace = (index: number, { errors }: Pick<InvalidFields, "errors">): InvalidFields =>
  new InvalidFields({ errors: errors.map((error) => inside(`changes[${index}]`, error)) })

/** The errors of the body of a change, named as those of its place. */
export const inBody = (index: number, { errors }: Pick<InvalidFields, "errors">): InvalidFields =>
  atPlace(index, { errors: errors.map((error) => inside("body", error)) })

/** Stands for the ID of the record that an earlier change creates, by its key: `new:shop`. */
export const newPrefix = "new:"

/** The fields that refer to other records, and to which kind. */
const referring: Readonly<Record<ChangeKind, Readonly<Record<string, Reference["kind"]>>>> = {
  channel: {},
  schedule: {},
  policy: {},
  monitor: { dependsOn: "monitor" },
  maintenance: { monitorIds: "monitor" },
  rule: { monitorIds: "monitor", channelIds: "channel" },
  integration: { ruleId: "rule" },
  page: { monitorIds: "monitor", monitors: "monitor" }
}

/** A reference to a record that an earlier change creates. */
export interface Reference {
  readonly kind: "monitor" | "channel" | "rule" | "schedule"
  readonly key: string
  /** The place in the body. */
  readonly path: string
}

/** Replaces references with the ids that `idOf` returns; references without an id stay. */
export const resolved = (
  kind: ChangeKind,
  body: Readonly<Record<string, unknown>>,
  idOf: (reference: Reference) => string | undefined
): Readonly<Record<string, unknown>> => {
  if (kind === "policy") return resolvedPolicy(body, idOf)
  const replaced: Record<string, unknown> = { ...body }
  for (const [field, target] of Object.entries(referring[kind])) {
    const list = body[field]
    const one = (item: unknown, path: string): unknown => {
      if (typeof item !== "string" || !item.startsWith(newPrefix)) return item
      return idOf({ kind: target, key: item.slice(newPrefix.length), path }) ?? item
    }
    if (typeof list === "string") replaced[field] = one(list, field)
    if (!Array.isArray(list)) continue
    replaced[field] = list.map((item: unknown, index) => {
      const path = `${field}[${index}]`
      return typeof item === "object" && item !== null && "monitorId" in item
        ? { ...item, monitorId: one(item.monitorId, `${path}.monitorId`) }
        : one(item, path)
    })
  }
  return replaced
}

/** The schedules and channels that a policy names in its steps and at its end. */
const resolvedPolicy = (
  body: Readonly<Record<string, unknown>>,
  idOf: (reference: Reference) => string | undefined
): Readonly<Record<string, unknown>> => {
  const named = (target: unknown, path: string): unknown => {
    if (!Body.isObject(target)) return target
    const one = (field: string, kind: Reference["kind"]): object => {
      const item = target[field]
      if (typeof item !== "string" || !item.startsWith(newPrefix)) return {}
      return { [field]: idOf({ kind, key: item.slice(newPrefix.length), path: `${path}.${field}` }) ?? item }
    }
    return { ...target, ...one("scheduleId", "schedule"), ...one("channelId", "channel") }
  }
  const { onExhausted, steps } = body
  return {
    ...body,
    ...(onExhausted === undefined ? {} : { onExhausted: named(onExhausted, "onExhausted") }),
    ...(Array.isArray(steps)
      ? {
          steps: steps.map((step: unknown, index) =>
            Body.isObject(step) && Array.isArray(step["notify"])
              ? {
                  ...step,
                  notify: step["notify"].map((target: unknown, at) => named(target, `steps[${index}].notify[${at}]`))
                }
              : step
          )
        }
      : {})
  }
}
