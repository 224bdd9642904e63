/**
 * Status pages. Every write also appends the public event to the outbox, in the same transaction. A monitor that is deleted
 * leaves the pages that show it without a word: its own event says so.
 */
import { MonitorId, nextStatusPageId, type ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import type { PageMonitor, StatusPage } from "@kanmon/domain/StatusPage"
import type { PageEventName } from "@kanmon/domain/Subjects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlError } from "effect/sql"
import * as Cursor from "../database/Cursor.ts"
import { databaseDies } from "../database/Database.ts"
import { type KeyTaken, keyTakenAsAnswer } from "../database/KeyTaken.ts"
import { DefaultPlan } from "../billing/DefaultPlan.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import type { KeyedPageOptions, Page } from "../database/Page.ts"
import { pageEvent } from "./PageEvents.ts"
import { type PageRow, readPage, selectPages } from "./PageRow.ts"
import * as Standing from "../billing/Standing.ts"
import type { PlanLimitReached } from "../billing/Standing.ts"

export class StatusPageNotFound extends Schema.TaggedError<StatusPageNotFound>()("StatusPageNotFound", {
  id: StatusPageId
}) {}

/** Another page, perhaps of another project, is found under this name. */
export class PageAddressTaken extends Schema.TaggedError<PageAddressTaken>()("PageAddressTaken", {
  field: Schema.Literals(["slug", "customDomain"]),
  name: Schema.String
}) {}

/** These are no monitors of the project. */
export class UnknownPageMonitors extends Schema.TaggedError<UnknownPageMonitors>()("UnknownPageMonitors", {
  ids: Schema.Array(MonitorId)
}) {}

/** What a user decides about a status page. */
export type PageDraft = Pick<StatusPage, "name" | "slug" | "monitors" | "customDomain"> & {
  /** Left out, it stays as it is; a new page has none. */
  readonly key?: StatusPage["key"]
}

type Refusal = PageAddressTaken | KeyTaken | UnknownPageMonitors | PlanLimitReached

export class StatusPages extends Context.Service<
  StatusPages,
  {
    readonly list: (projectId: ProjectId, options: KeyedPageOptions) => Effect.Effect<Page<StatusPage>>
    readonly get: (projectId: ProjectId, id: StatusPageId) => Effect.Effect<StatusPage, StatusPageNotFound>
    readonly create: (projectId: ProjectId, draft: PageDraft) => Effect.Effect<StatusPage, Refusal>
    /** Reads, changes and writes under a row lock. Another custom domain begins anew; the same one keeps its standing. */
    readonly update: <E>(
      projectId: ProjectId,
      id: StatusPageId,
      change: (current: StatusPage) => Effect.Effect<PageDraft, E>
    ) => Effect.Effect<StatusPage, StatusPageNotFound | Refusal | E>
    readonly remove: (projectId: ProjectId, id: StatusPageId) => Effect.Effect<void, StatusPageNotFound>
    /** Takes the domain away from the page of another project: its owner has said that it is this one's. */
    readonly cede: (domain: string, to: ProjectId) => Effect.Effect<void>
  }
>()("@kanmon/store/pages/StatusPages") {
  static readonly layer = Layer.effect(
    StatusPages,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom
      const select = selectPages(sql)
      const defaultPlan = yield* DefaultPlan
      const admitDomain = (projectId: ProjectId, at: EpochMillis) =>
        Standing.admitDomain(projectId, at).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(DefaultPlan, defaultPlan)
        )

      const list: StatusPages["Service"]["list"] = Effect.fn("StatusPages.list")(function* (projectId, options) {
        const before = Cursor.decode(options.cursor)
        const conditions = [
          sql`p.project_id = ${projectId}`,
          ...(before === undefined ? [] : [sql`p.id < ${before}`]),
          ...(options.key === undefined ? [] : [sql`p.key = ${options.key}`])
        ]
        const rows = yield* Effect.orDie(
          sql<PageRow>`${select} WHERE ${sql.and(conditions)} ORDER BY p.id DESC LIMIT ${options.limit + 1}`
        )
        return Cursor.page(rows.map(readPage), options.limit)
      })

      const find = Effect.fnUntraced(function* (projectId: ProjectId, id: StatusPageId) {
        const [row] = yield* sql<PageRow>`${select} WHERE p.id = ${id} AND p.project_id = ${projectId}`
        if (row === undefined) return yield* new StatusPageNotFound({ id })
        return readPage(row)
      })

      const get: StatusPages["Service"]["get"] = (projectId, id) =>
        find(projectId, id).pipe(databaseDies, Effect.withSpan("StatusPages.get"))

      const announce = Effect.fnUntraced(function* (page: StatusPage, name: PageEventName, at: EpochMillis) {
        const event = JSON.stringify(pageEvent(page, name, at, yield* random.ulid))
        yield* sql`INSERT INTO outbox (kind, event, created_at) VALUES ('event', ${event}::jsonb, ${new Date(at)})`
      })

      /** Keeps everybody else from the page until the transaction ends. */
      const hold = Effect.fnUntraced(function* (projectId: ProjectId, id: StatusPageId) {
        // The project first, as its deletion has it: who goes the other way round would wait for each other.
        yield* sql`SELECT id FROM projects WHERE id = ${projectId} FOR KEY SHARE`
        // A statement of its own: the one that waits for a lock goes on to see the monitors as they were before.
        yield* sql`SELECT id FROM status_pages WHERE id = ${id} AND project_id = ${projectId} FOR UPDATE`
      })

      /** Puts these monitors on the page, in this order, and no others. */
      const show = Effect.fnUntraced(function* (
        projectId: ProjectId,
        id: StatusPageId,
        monitors: ReadonlyArray<PageMonitor>
      ) {
        const ids = monitors.map(({ monitorId }) => monitorId)
        // Locked, so that none is deleted between the look and the writing.
        const known = yield* sql<{ id: MonitorId }>`SELECT id FROM monitors
          WHERE project_id = ${projectId} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`
        const own = new Set(known.map((row) => row.id))
        const strange = ids.filter((monitorId) => !own.has(monitorId))
        if (strange.length > 0) return yield* new UnknownPageMonitors({ ids: strange })
        yield* sql`DELETE FROM status_page_monitors WHERE page_id = ${id}`
        yield* sql`INSERT INTO status_page_monitors (page_id, monitor_id, display_group, position)
          SELECT ${id}, entry->>'monitorId', entry->>'displayGroup', place
          FROM jsonb_array_elements(${JSON.stringify(monitors)}::jsonb) WITH ORDINALITY AS shown (entry, place)`
      })

      const create: StatusPages["Service"]["create"] = Effect.fn("StatusPages.create")(function* (projectId, draft) {
        const id = yield* Effect.provideService(nextStatusPageId, SecureRandom.SecureRandom, random)
        const at = yield* Clock.currentTimeMillis
        const now = new Date(at)
        const made = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              if (draft.customDomain !== null) yield* admitDomain(projectId, at)
              yield* sql`INSERT INTO status_pages
                (id, project_id, key, name, slug, custom_domain, custom_domain_status, created_at, updated_at)
                VALUES (${id}, ${projectId}, ${draft.key ?? null}, ${draft.name}, ${draft.slug}, ${draft.customDomain},
                  ${untried(draft)}, ${now}, ${now})`.pipe(takenAsAnswer(draft))
              yield* show(projectId, id, draft.monitors)
              const page = yield* Effect.orDie(find(projectId, id))
              yield* announce(page, "created", at)
              return page
            })
          )
          .pipe(keyTakenAsAnswer, databaseDies)
        yield* signal.raise
        return made
      })

      const update: StatusPages["Service"]["update"] = (projectId, id, change) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          const changed = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* hold(projectId, id)
              const current = yield* find(projectId, id)
              const draft = yield* change(current)
              const key = draft.key === undefined ? current.key : draft.key
              const moved = draft.customDomain !== current.customDomain
              // A domain that is there stays, whatever becomes of the plan.
              if (moved && draft.customDomain !== null) yield* admitDomain(projectId, at)
              const domain = moved
                ? sql`, custom_domain_status = ${untried(draft)}, custom_domain_error = NULL, custom_domain_proven = false`
                : sql``
              yield* sql`UPDATE status_pages SET key = ${key}, name = ${draft.name}, slug = ${draft.slug},
                custom_domain = ${draft.customDomain}, updated_at = ${new Date(at)} ${domain} WHERE id = ${id}`.pipe(
                takenAsAnswer(draft)
              )
              if (!sameMonitors(draft.monitors, current.monitors)) yield* show(projectId, id, draft.monitors)
              const page = yield* find(projectId, id)
              yield* announce(page, "updated", at)
              return page
            })
          )
          yield* signal.raise
          return changed
        }).pipe(keyTakenAsAnswer, databaseDies, Effect.withSpan("StatusPages.update"))

      const remove: StatusPages["Service"]["remove"] = (projectId, id) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* hold(projectId, id)
              yield* announce(yield* find(projectId, id), "deleted", at)
              yield* sql`DELETE FROM status_pages WHERE id = ${id}`
            })
          )
          yield* signal.raise
        }).pipe(databaseDies, Effect.withSpan("StatusPages.remove"))

      const cede: StatusPages["Service"]["cede"] = (domain, to) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const [other] = yield* sql<{ id: StatusPageId; project_id: ProjectId }>`SELECT id, project_id
                FROM status_pages WHERE custom_domain = ${domain} AND project_id <> ${to}`
              if (other === undefined) return
              yield* hold(other.project_id, other.id)
              const [ceded] = yield* sql`UPDATE status_pages SET custom_domain = NULL, custom_domain_status = 'none',
                custom_domain_proven = false,
                custom_domain_error = ${`The owner of ${domain} has given it to another status page`},
                updated_at = ${new Date(at)} WHERE id = ${other.id} AND custom_domain = ${domain} RETURNING id`
              if (ceded !== undefined)
                yield* announce(yield* Effect.orDie(find(other.project_id, other.id)), "updated", at)
            })
          )
          yield* signal.raise
        }).pipe(databaseDies, Effect.withSpan("StatusPages.cede"))

      return StatusPages.of({ list, get, create, update, remove, cede })
    })
  )
}

/** The standing of a domain for which nothing has been done. */
const untried = ({ customDomain }: PageDraft): StatusPage["customDomainStatus"] =>
  customDomain === null ? "none" : "pending_dns"

const sameMonitors = (some: ReadonlyArray<PageMonitor>, others: ReadonlyArray<PageMonitor>): boolean =>
  some.length === others.length &&
  some.every(
    ({ displayGroup, monitorId }, index) =>
      monitorId === others[index]!.monitorId && displayGroup === others[index]!.displayGroup
  )

/** What the table's constraints say when a name is taken. Looking before writing would let two through at once. */
const takenFields: Readonly<Record<string, PageAddressTaken["field"]>> = {
  status_pages_slug_key: "slug",
  status_pages_custom_domain_key: "customDomain"
}

const takenAsAnswer =
  (draft: PageDraft) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PageAddressTaken, R> =>
    Effect.mapError(effect, (error) => {
      if (!(error instanceof SqlError.SqlError) || error.reason._tag !== "UniqueViolation") return error
      const field = takenFields[error.reason.constraint]
      return field === undefined ? error : new PageAddressTaken({ field, name: draft[field] ?? "" })
    })
