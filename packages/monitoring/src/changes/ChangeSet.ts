/**
 * Makes changes in one transaction, or judges them and rolls it back: a dry run is the same code up to the commit. A change
 * that is refused is undone by itself, so that those after it are judged too.
 */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { permits } from "@kanmon/domain/Role"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import * as ChangesBody from "@kanmon/protocol/ChangesBody"
import { CallerRole } from "@kanmon/protocol/Middleware"
import type { Warning } from "@kanmon/protocol/MonitorBody"
import { invalid, Problem } from "@kanmon/protocol/Problem"
import { Data, Effect, Result } from "effect"
import { MonitorRecords } from "../monitors/index.ts"
import { OrganizationLock } from "@kanmon/identity/organizations"
import { Transaction } from "@kanmon/platform/Transaction"
import * as Writers from "./Writers.ts"

type Refusal = Writers.Refusal
type Written = Writers.Written

/** Every change could be made; rolls back. */
class Judged extends Data.TaggedError("Judged")<{ readonly written: ReadonlyArray<Written> }> {}

/** How many errors are reported. */
const maxErrors = 100

/** Monitors that are created with the same statements: as many, and as large, as the event loop can decode in one go. */
const maxTogether = 64
const maxValuesTogether = 5_000

/** A change as it is read, before anything is written. */
type Read = Result.Result<ChangesBody.Change, InvalidFields>

/** How updates are made. */
type Update = "update" | "presume"

/** A change with resolved references. */
type Resolved = ChangesBody.Change & { readonly index: number }

export const make = Effect.gen(function* () {
  const writers = yield* Writers.make
  const transaction = yield* Transaction
  const organizations = yield* OrganizationLock
  const records = yield* MonitorRecords.make

  /** Runs a part of the transaction that is undone when it is refused. */
  const part = <A>(effect: Effect.Effect<A, Refusal>) => Effect.result(transaction.run(effect))

  /**
   * The changes that would overwrite later ones, by place. The lock of the organization is held, and nothing is written
   * yet: one change may touch the record of another.
   */
  const overtaken = Effect.fnUntraced(function* (projectId: ProjectId, reads: ReadonlyArray<Read>) {
    const found = new Map<number, Refusal>()
    for (const [index, read] of reads.entries()) {
      if (Result.isFailure(read) || read.success.action === "create") continue
      const { id, ifUpdatedAt, kind } = read.success
      if (ifUpdatedAt === undefined) continue
      const at = yield* writers.of[kind].updatedAt(projectId, id)
      if (at !== undefined && at !== ifUpdatedAt) found.set(index, changedSince(at))
    }
    return found
  })

  const one = (projectId: ProjectId, change: ChangesBody.Change, update: Update): Effect.Effect<Written, Refusal> => {
    const writer = writers.of[change.kind]
    switch (change.action) {
      case "create":
        return writer.create(projectId, Object(change.body))
      case "update":
        return writer[update](projectId, change.id, Object(change.body))
      case "delete":
        return Effect.as(
          Effect.catchIf(writer.remove(projectId, change.id), isGone, () => Effect.void),
          {
            id: change.id
          }
        )
    }
  }

  const all = Effect.fnUntraced(function* (projectId: ProjectId, changes: ReadonlyArray<unknown>, update: Update) {
    // The first lock of every write, in the order in which single operations take theirs.
    yield* organizations.holdOwner(projectId)
    const reads = changes.map(ChangesBody.decodeChange)
    const late = yield* overtaken(projectId, reads)
    const written: Array<Written> = []
    const refused: Array<Refusal> = []
    const made = new Map<string, string>()
    const lost = new Set<string>()
    let alone = 0
    for (let index = 0; index < changes.length && errorsOf(refused).length < maxErrors;) {
      const batch = index < alone ? [] : creations(reads, index, made)
      if (batch.length > 1) {
        const bodies = batch.map((change) => Object("body" in change ? change.body : undefined))
        const created = yield* part(writers.createMonitors(projectId, bodies))
        if (Result.isSuccess(created)) {
          for (const [place, record] of created.success.entries()) {
            written.push(record)
            remember(made, batch[place]!, record.id)
          }
          index += batch.length
          continue
        }
        // One of them is refused: each is judged alone.
        alone = index + batch.length
      }
      const read = resolvedAt(reads, index, made, lost)
      const at = index++
      if (read === undefined) continue
      const overtaking = late.get(at)
      const done = Result.isFailure(read)
        ? Result.fail(invalid(read.failure.errors))
        : Result.mapError(
            overtaking === undefined ? yield* part(one(projectId, read.success, update)) : Result.fail(overtaking),
            (problem) => atPlace(at, read.success, problem)
          )
      if (Result.isSuccess(done)) {
        written.push(done.success)
        if (Result.isSuccess(read)) remember(made, read.success, done.success.id)
      } else if (done.failure.code === "unavailable") return yield* done.failure
      else {
        refused.push(done.failure)
        const name = nameOf(changes[at])
        if (name !== undefined) lost.add(name)
      }
    }
    if (refused.length > 0) return yield* together(refused)
    return written
  })

  const warningsOf = (monitors: ReadonlyArray<Monitor>) =>
    Effect.map(
      records.createdTogether(monitors),
      (shown) => new Map(shown.map(({ id, warnings }): [string, ReadonlyArray<Warning> | undefined] => [id, warnings]))
    )

  return {
    /**
     * One result for each change. Refusals name changes and fields, such as `changes[3].body.url`. A dry run for a caller who
     * may not read secrets says nothing about stored ones.
     */
    make: Effect.fn("ChangeSet.make")(function* (
      projectId: ProjectId,
      changes: ReadonlyArray<unknown>,
      dryRun: boolean
    ) {
      const isTrusted = permits(yield* CallerRole, "secrets.read")
      const written = yield* all(projectId, changes, dryRun && !isTrusted ? "presume" : "update").pipe(
        Effect.flatMap((done) => (dryRun ? Effect.fail(new Judged({ written: done })) : Effect.succeed(done))),
        transaction.run,
        Effect.catchTag("Judged", ({ written: judged }) => Effect.succeed(judged))
      )
      if (!dryRun) for (const { follows } of written) if (follows !== undefined) yield* follows
      const warnings = yield* warningsOf(written.flatMap(({ monitor }) => monitor ?? []))
      return written.map(({ id, movedUserIds = [] }): ChangesBody.ChangeResult => {
        const own = warnings.get(id)
        return {
          id,
          ...(own === undefined ? {} : { warnings: own }),
          ...(movedUserIds.length === 0 ? {} : { movedUserIds })
        }
      })
    })
  }
})

const changedSince = (at: EpochMillis): Refusal => {
  const detail = `The record was changed at ${toIso(at)}, after it was read; read it again`
  return new Problem({ code: "precondition_failed", detail, errors: [{ path: "ifUpdatedAt", message: detail }] })
}

const isGone = (problem: Refusal): boolean => problem.code === "not_found"

/** The name of what a change creates, for references; undefined if it creates nothing that can be referred to. */
const nameOf = (change: unknown): string | undefined => {
  if (typeof change !== "object" || change === null || !("kind" in change) || !("body" in change)) return undefined
  const { body, kind } = change
  if (typeof body !== "object" || body === null || !("key" in body) || typeof body.key !== "string") return undefined
  return `${String(kind)} ${body.key}`
}

const remember = (made: Map<string, string>, change: ChangesBody.Change, id: string): void => {
  const name = change.action === "create" ? nameOf(change) : undefined
  if (name !== undefined) made.set(name, id)
}

/** The change at a place; undefined when it refers to what was refused, so that nothing can be said about it. */
const resolvedAt = (
  reads: ReadonlyArray<Read>,
  index: number,
  made: ReadonlyMap<string, string>,
  lost: ReadonlySet<string>
): Result.Result<Resolved, InvalidFields> | undefined => {
  let unknown = false
  const missing: Array<{ readonly path: string; readonly message: string }> = []
  const read = Result.map(reads[index]!, (change): Resolved => {
    if (change.action === "delete") return { ...change, index }
    const body = ChangesBody.resolved(change.kind, Object(change.body), ({ key, kind, path }) => {
      const name = `${kind} ${key}`
      if (lost.has(name)) unknown = true
      else if (!made.has(name))
        missing.push({ path, message: `No change before this one creates a ${kind} with the key ${key}` })
      return made.get(name)
    })
    return { ...change, body, index }
  })
  if (unknown) return undefined
  return missing.length === 0 ? read : Result.fail(ChangesBody.inBody(index, { errors: missing }))
}

/** The creations of monitors from this place on, none of which refers to another one of them. */
const creations = (
  reads: ReadonlyArray<Read>,
  from: number,
  made: ReadonlyMap<string, string>
): ReadonlyArray<Resolved> => {
  const found: Array<Resolved> = []
  let values = 0
  for (let index = from; index < reads.length && found.length < maxTogether; index++) {
    // References to other changes of the set cannot be resolved yet.
    const read = resolvedAt(reads, index, made, new Set())
    if (read === undefined || Result.isFailure(read)) break
    const change = read.success
    if (change.action !== "create" || change.kind !== "monitor") break
    values += ChangesBody.valuesIn(change.body, maxValuesTogether)
    if (values > maxValuesTogether) break
    found.push(change)
  }
  return found
}

const errorsOf = (refused: ReadonlyArray<Refusal>) => refused.flatMap(({ errors = [] }) => errors)

/** A refusal of one change, with its place. */
const atPlace = (index: number, { action }: ChangesBody.Change, problem: Refusal): Refusal => {
  const { code, detail, errors = [] } = problem
  const placed =
    errors.length === 0
      ? ChangesBody.atPlace(index, { errors: [{ path: "", message: detail }] })
      : action === "delete" || errors.every(({ path }) => path === "id" || path === "ifUpdatedAt")
        ? ChangesBody.atPlace(index, { errors })
        : ChangesBody.inBody(index, { errors })
  return new Problem({ ...fieldsOf(problem), code, errors: placed.errors })
}

const fieldsOf = ({ accountLimit, detail, planLimit, retryAfter }: Refusal) => ({
  detail,
  ...(accountLimit === undefined ? {} : { accountLimit }),
  ...(planLimit === undefined ? {} : { planLimit }),
  ...(retryAfter === undefined ? {} : { retryAfter })
})

/** Refusals of several changes as one: it has the code of the first, and the errors of all. */
const together = (refused: ReadonlyArray<Refusal>): Refusal => {
  const [first] = refused
  const detail =
    refused.length === 1 ? first!.detail : `${refused.length} changes are refused, and none was made; see errors`
  return new Problem({
    ...fieldsOf(first!),
    detail,
    code: first!.code,
    errors: errorsOf(refused).slice(0, maxErrors)
  })
}
