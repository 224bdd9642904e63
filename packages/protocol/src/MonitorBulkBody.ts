/** The bodies that create, change or delete many monitors at once. */
import { decodeStrict, type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { MonitorId } from "@kanmon/domain/Ids"
import { OperationAction } from "@kanmon/domain/Operation"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Tags } from "@kanmon/domain/Tag"
import { Result, Schema } from "effect"
import * as Body from "./Body.ts"
import { Search } from "./Lists.ts"
import type { MonitorRequest } from "./MonitorBody.ts"

/** How many monitors one request can create, change or delete. */
export const maxBulk = 1000

/** The filters of the list of monitors; each narrows it. */
const MonitorCriteria = Schema.Struct({
  status: Schema.optionalKey(MonitorStatus),
  type: Schema.optionalKey(Search.annotate({ description: "The type of the monitor" })),
  tags: Schema.optionalKey(Tags.annotate({ description: "The monitor carries all of them" })),
  group: Schema.optionalKey(Search.annotate({ description: "The monitor's group, or one above it" })),
  q: Schema.optionalKey(
    Search.annotate({ description: "Part of the name, the target or a tag; case and accents are ignored" })
  )
})

export const selectionFields = {
  ids: Schema.optionalKey(
    Schema.Array(MonitorId)
      .check(
        Schema.isMinLength(1, { message: "Expected at least one monitor" }),
        Schema.isMaxLength(maxBulk, { message: `Expected at most ${maxBulk} monitors` })
      )
      .annotate({ description: "The monitors" })
  ),
  filter: Schema.optionalKey(
    MonitorCriteria.annotate({ description: "Instead of `ids`: the monitors that fit; at most 1000" })
  )
}

export const bulkChangeFields = {
  ...selectionFields,
  set: Schema.optionalKey(
    Schema.JsonObject.annotate({ description: "Fields of a monitor, as in the change of a single one" })
  ),
  addTags: Schema.optionalKey(Tags.annotate({ description: "Tags that every monitor gains" })),
  removeTags: Schema.optionalKey(Tags.annotate({ description: "Tags that every monitor loses" }))
}

/** New monitors. Each entry is the body of a single creation, with fields that depend on its type. */
export const batchFields = {
  monitors: Schema.Array(Schema.Json).check(
    Schema.isMinLength(1, { message: "Expected at least one monitor" }),
    Schema.isMaxLength(maxBulk, { message: `Expected at most ${maxBulk} monitors` })
  )
}

export interface MonitorBatch {
  readonly monitors: ReadonlyArray<MonitorRequest>
}

/** Which monitors: listed, or those that fit a filter. */
export type MonitorSelection = Schema.Struct<typeof selectionFields>["Encoded"]

/** A change of all of them. */
export type MonitorBulkChange = Schema.Struct<typeof bulkChangeFields>["Encoded"]

type Selection = Schema.Struct<typeof selectionFields>["Type"]
export type BulkChange = Schema.Struct<typeof bulkChangeFields>["Type"]

/** How many monitors an operation can name; a filter can select more. */
export const maxOperationIds = 20_000

export const operationFields = {
  ...bulkChangeFields,
  action: OperationAction.annotate({ description: "`update` takes `set`, `addTags` and `removeTags`; `delete` none" }),
  ids: Schema.optionalKey(
    Schema.Array(MonitorId)
      .check(
        Schema.isMinLength(1, { message: "Expected at least one monitor" }),
        Schema.isMaxLength(maxOperationIds, { message: `Expected at most ${maxOperationIds} monitors` })
      )
      .annotate({ description: "The monitors" })
  ),
  filter: Schema.optionalKey(MonitorCriteria.annotate({ description: "Instead of `ids`: the monitors that fit" }))
}

/** Long work on many monitors. */
export type OperationRequest = Schema.Struct<typeof operationFields>["Encoded"]

const decodeFields = Body.fit(decodeStrict(Schema.Struct(selectionFields)))
const decodeChangeFields = Body.fit(decodeStrict(Schema.Struct(bulkChangeFields)))
const decodeOperationFields = Body.fit(decodeStrict(Schema.Struct(operationFields)))
const decodeBatchFields = Body.fit(decodeStrict(Schema.Struct(batchFields)))

const refuse = (path: string, message: string) => Result.fail(new InvalidFields({ errors: [{ path, message }] }))

/** Refuses a filter without a criterion: it would select every monitor of the project by accident. */
const selected = <S extends Selection>(selection: S): Result.Result<S, InvalidFields> => {
  if ((selection.ids === undefined) === (selection.filter === undefined))
    return refuse("ids", "Expected either ids or filter")
  if (selection.filter !== undefined && Object.keys(selection.filter).length === 0)
    return refuse("filter", "Expected at least one of status, type, tags, group and q")
  return Result.succeed(selection)
}

/** Decodes which monitors are meant. */
export const decodeSelection = (body: unknown): Result.Result<Selection, InvalidFields> =>
  Result.flatMap(decodeFields(body), selected)

/** The bodies of new monitors, each to be decoded like that of a single one. */
export const batch = (body: unknown): Result.Result<ReadonlyArray<unknown>, InvalidFields> =>
  Result.map(decodeBatchFields(body), ({ monitors }) => monitors)

/** All decoded monitors of a batch, or every broken field of every one of them, named as `monitors[3].url`. */
export const allOf = <A>(
  decoded: ReadonlyArray<Result.Result<A, InvalidFields>>
): Result.Result<ReadonlyArray<A>, InvalidFields> => {
  const drafts: Array<A> = []
  const errors: Array<FieldError> = []
  for (const [index, one] of decoded.entries()) {
    if (Result.isSuccess(one)) drafts.push(one.success)
    else errors.push(...ofItem(index, one.failure).errors)
  }
  return errors.length === 0
    ? Result.succeed(drafts)
    : Result.fail(new InvalidFields({ errors: errors.slice(0, maxErrors) }))
}

/** How many errors of a batch are reported. */
export const maxErrors = 100

/** The same fields, named as those of one monitor of a batch. */
export const ofItem = (index: number, { errors }: InvalidFields): InvalidFields =>
  new InvalidFields({
    errors: errors.map(({ message, path }) => ({
      path: `monitors[${index}]${path === "" ? "" : `.${path}`}`,
      message
    }))
  })

const isChange = ({ addTags, removeTags, set }: Pick<BulkChange, "addTags" | "removeTags" | "set">): boolean =>
  set !== undefined || addTags !== undefined || removeTags !== undefined

const noChange = refuse("set", "Expected set, addTags or removeTags")

/** Decodes a change of many monitors. Its `set` is decoded for each of them, by its type. */
export const decodeBulkChange = (body: unknown): Result.Result<BulkChange, InvalidFields> =>
  Result.flatMap(Result.flatMap(decodeChangeFields(body), selected), (change) =>
    isChange(change) ? Result.succeed(change) : noChange
  )

/** Decodes an operation. */
export const decodeOperation = (body: unknown) =>
  Result.flatMap(Result.flatMap(decodeOperationFields(body), selected), (operation) => {
    const isDelete = operation.action === "delete"
    if (isDelete !== isChange(operation)) return Result.succeed(operation)
    return isDelete ? refuse("action", "Expected no change of monitors that are deleted") : noChange
  })

/** The change of one monitor that carries these tags. Removing wins over adding. */
export const changeOf = (
  { addTags = [], removeTags = [], set = {} }: Pick<BulkChange, "addTags" | "removeTags" | "set">,
  tags: ReadonlyArray<string>
): Schema.JsonObject => {
  if (addTags.length === 0 && removeTags.length === 0) return set
  const before = "tags" in set ? (set["tags"] ?? []) : tags
  // A value that is not a list stays, so that validation refuses it.
  if (!Array.isArray(before)) return set
  return { ...set, tags: [...new Set([...before, ...addTags])].filter((tag) => !removeTags.includes(tag)) }
}
