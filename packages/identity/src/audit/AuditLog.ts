/**
 * The audit log. Features record each change in its transaction. The actor comes from the request. Entries are bounded
 * in size, and values that look like secrets are removed.
 */
import type { Actor } from "@kanmon/domain/Actor"
import { bounded, differing } from "@kanmon/domain/AuditChange"
import type { AuditAction, AuditEntry } from "@kanmon/domain/AuditEntry"
import { auditEvent } from "@kanmon/domain/AuditEvents"
import { nextAuditId, type OrganizationId, type ProjectId, type UserId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, identity, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { maskAll } from "@kanmon/platform/LogMask"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { type AuditFilter, AuditRepository, type AuditScope, kindOf } from "./AuditRepository.ts"

/** A change as its feature describes it. The feature leaves its secrets out, or conceals them. */
export interface AuditedChange {
  readonly action: AuditAction
  readonly target: { readonly id: string; readonly name: string }
  /** The project that it belongs to; absent for changes to the whole installation. */
  readonly projectId?: ProjectId
  /** Follows from the project, if there is one. */
  readonly organizationId?: OrganizationId
  /** The account that a personal change belongs to, such as a change to its sessions. */
  readonly accountId?: UserId
  /** The record as it was; absent when it was created. */
  readonly before?: object | undefined
  /** The record as it is now; absent when it was deleted. */
  readonly after?: object | undefined
  /** Hides secrets after the two were compared, so that a changed secret is a change. */
  readonly conceal?: (fields: Schema.JsonObject) => Schema.JsonObject
  /** The actor, if the request does not identify one. */
  readonly actor?: Actor
}

export class AuditLog extends Context.Service<AuditLog>()("@kanmon/identity/audit/AuditLog", {
  make: Effect.gen(function* () {
    const repository = yield* AuditRepository
    const outbox = yield* Outbox
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextAuditId, SecureRandom.SecureRandom, random)

    /**
     * Records changes and appends the events of their entries; must run in their transaction. For a record that existed before,
     * only the fields that differ are kept.
     */
    const record = Effect.fn("AuditLog.record")(function* (changes: ReadonlyArray<AuditedChange>) {
      const acting = yield* CurrentActor
      const at = yield* Clock.currentTimeMillis
      const entries = yield* Effect.forEach(changes, (change) =>
        Effect.map(nextId, (id) => ({
          accountId: change.accountId ?? null,
          organizationId: change.organizationId ?? null,
          entry: entryOf(change, id, at, { ...acting, actor: change.actor ?? acting.actor })
        }))
      )
      yield* repository.insert(entries)
      yield* outbox.append(
        entries.flatMap(({ entry }) => (entry.projectId === null ? [] : [auditEvent(entry.projectId, entry)]))
      )
    })

    /** Newest first. */
    const list = Effect.fn("AuditLog.list")(function* (
      scope: AuditScope,
      filter: AuditFilter,
      { cursor, limit }: PageOptions
    ) {
      const before = Cursor.decode(cursor)
      return Cursor.page(yield* repository.list(scope, filter, { before, limit: limit + 1 }), limit)
    })

    return { record, list }
  })
}) {
  static readonly layer = Layer.effect(AuditLog, AuditLog.make).pipe(Layer.provide(AuditRepository.layer))
}

const decodeFields = Schema.decodeUnknownSync(Schema.JsonObject)

/** As JSON; without what every record has and no user decides. */
const fieldsOf = (record: object | undefined): Schema.JsonObject | null => {
  if (record === undefined) return null
  const {
    createdAt: _c,
    id: _i,
    projectId: _p,
    updatedAt: _u,
    ...fields
  } = decodeFields(JSON.parse(JSON.stringify(record)))
  return fields
}

const entryOf = (
  { action, after, before, conceal = identity, projectId, target }: AuditedChange,
  id: AuditEntry["id"],
  at: number,
  { actor, address }: Pick<AuditEntry, "actor" | "address">
): AuditEntry => {
  const change = differing({ before: fieldsOf(before), after: fieldsOf(after) })
  const side = (fields: AuditEntry["before"]) => (fields === null ? null : maskAll(bounded(conceal(fields))))
  return {
    id,
    at,
    actor,
    action,
    target: { kind: kindOf(action), id: target.id, name: maskAll(target.name) },
    projectId: projectId ?? null,
    address,
    before: side(change.before),
    after: side(change.after)
  }
}
