/**
 * Status pages. Every write also appends the public event to the outbox, in the same transaction. Deleting a monitor removes
 * it from its pages without an event of theirs: the monitor's own event says so.
 */
import { MonitorId, nextStatusPageId, type ProjectId, type StatusPageId } from "@kanmon/domain/Ids"
import { StatusPageNotFound } from "@kanmon/domain/NotFound"
import { pageEvent } from "@kanmon/domain/PageEvents"
import type { PageMonitor, StatusPage } from "@kanmon/domain/StatusPage"
import type { PageEventName } from "@kanmon/domain/Subjects"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog, type AuditedChange } from "@kanmon/identity/audit"
import { Entitlement } from "@kanmon/identity/billing"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { KeyedPageOptions } from "@kanmon/platform/database/Page"
import { Outbox } from "@kanmon/platform/outbox/Outbox"
import { Transaction } from "@kanmon/platform/Transaction"
import { MonitorRecordRepository } from "../registry/index.ts"
import { StatusPageRepository } from "./StatusPageRepository.ts"

/** These are not monitors of the project. */
export class UnknownPageMonitors extends Schema.TaggedError<UnknownPageMonitors>()("UnknownPageMonitors", {
  ids: Schema.Array(MonitorId)
}) {}

/** The part of a status page that users write. */
export type PageDraft = Pick<StatusPage, "name" | "slug" | "monitors" | "customDomain"> & {
  /** Left out, it stays as it is; a new page has none. */
  readonly key?: StatusPage["key"]
  /** Left out, they stay as they are; a new page has none. */
  readonly tags?: StatusPage["tags"]
  /** Left out, they stay as they are; a new page has none. */
  readonly embedOrigins?: StatusPage["embedOrigins"]
}

export class StatusPages extends Context.Service<StatusPages>()("@kanmon/monitoring/status-pages/StatusPages", {
  make: Effect.gen(function* () {
    const repository = yield* StatusPageRepository
    const records = yield* MonitorRecordRepository
    const transaction = yield* Transaction
    const outbox = yield* Outbox
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const { admitDomain } = yield* Entitlement

    const list = Effect.fn("StatusPages.list")(function* (
      projectId: ProjectId,
      { cursor, key, limit }: KeyedPageOptions
    ) {
      const before = Cursor.decode(cursor)
      return Cursor.page(yield* repository.list(projectId, { before, key, limit: limit + 1 }), limit)
    })

    const get = Effect.fn("StatusPages.get")(function* (projectId: ProjectId, id: StatusPageId) {
      return (yield* repository.find(projectId, id)) ?? (yield* new StatusPageNotFound({ id }))
    })

    /** Appends the public event and records the change. */
    const announce = Effect.fnUntraced(function* (
      page: StatusPage,
      name: PageEventName,
      at: EpochMillis,
      change: Pick<AuditedChange, "before" | "after">
    ) {
      yield* outbox.append([pageEvent(page, name, at, yield* random.ulid)])
      const target = { id: page.id, name: page.name }
      yield* audit.record([{ action: `status_page.${name}`, target, projectId: page.projectId, ...change }])
    })

    const show = Effect.fnUntraced(function* (
      projectId: ProjectId,
      id: StatusPageId,
      monitors: ReadonlyArray<PageMonitor>
    ) {
      const ids = monitors.map(({ monitorId }) => monitorId)
      const known = yield* records.lockExisting(projectId, ids)
      const unknown = ids.filter((monitorId) => !known.has(monitorId))
      if (unknown.length > 0) return yield* new UnknownPageMonitors({ ids: unknown })
      yield* repository.replaceMonitors(id, monitors)
    })

    const create = Effect.fn("StatusPages.create")(function* (projectId: ProjectId, draft: PageDraft) {
      const id = yield* Effect.provideService(nextStatusPageId, SecureRandom.SecureRandom, random)
      const at = yield* Clock.currentTimeMillis
      return yield* transaction.run(
        Effect.gen(function* () {
          if (draft.customDomain !== null) yield* admitDomain(projectId, at)
          const { embedOrigins = [], key = null, tags = [] } = draft
          yield* repository.insert({ ...draft, id, projectId, key, tags, embedOrigins }, at)
          yield* repository.resetDomain(id, initialStatus(draft))
          yield* show(projectId, id, draft.monitors)
          const page = yield* Effect.orDie(get(projectId, id))
          yield* announce(page, "created", at, { after: audited(page) })
          return page
        })
      )
    })

    /** Reads, changes and writes under a row lock. A new custom domain is set up from the start; the same one keeps its state. */
    const update = <E>(
      projectId: ProjectId,
      id: StatusPageId,
      change: (current: StatusPage) => Effect.Effect<PageDraft, E>
    ) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        yield* repository.lock(projectId, id)
        const current = yield* get(projectId, id)
        const draft = yield* change(current)
        const domainChanged = draft.customDomain !== current.customDomain
        // A domain that a page has already stays, even if the plan includes none any more.
        if (domainChanged && draft.customDomain !== null) yield* admitDomain(projectId, at)
        yield* repository.update(
          {
            ...draft,
            id,
            projectId,
            key: draft.key === undefined ? current.key : draft.key,
            tags: draft.tags ?? current.tags,
            embedOrigins: draft.embedOrigins ?? current.embedOrigins
          },
          at
        )
        if (domainChanged) yield* repository.resetDomain(id, initialStatus(draft))
        if (!sameMonitors(draft.monitors, current.monitors)) yield* show(projectId, id, draft.monitors)
        const page = yield* get(projectId, id)
        yield* announce(page, "updated", at, { before: audited(current), after: audited(page) })
        return page
      }).pipe(transaction.run, Effect.withSpan("StatusPages.update"))

    const remove = Effect.fn("StatusPages.remove")(function* (projectId: ProjectId, id: StatusPageId) {
      const at = yield* Clock.currentTimeMillis
      yield* repository.lock(projectId, id)
      const page = yield* get(projectId, id)
      yield* announce(page, "deleted", at, { before: audited(page) })
      yield* repository.delete(id)
    }, transaction.run)

    /** Takes a custom domain away from the page of another project, since its owner has given it to this one. */
    const cede = Effect.fn("StatusPages.cede")(function* (domain: string, to: ProjectId) {
      const at = yield* Clock.currentTimeMillis
      const holder = yield* repository.domainHolder(domain, to)
      if (holder === undefined) return
      yield* repository.lock(holder.projectId, holder.id)
      const reason = `The owner of ${domain} has given it to another status page`
      if (yield* repository.removeDomain(holder.id, domain, reason, at))
        yield* announce(yield* Effect.orDie(get(holder.projectId, holder.id)), "updated", at, {
          before: { customDomain: domain },
          after: { customDomain: null, customDomainError: reason }
        })
    }, transaction.run)

    return { list, get, create, update, remove, cede }
  })
}) {
  static readonly layer = Layer.effect(StatusPages, StatusPages.make).pipe(
    Layer.provide([Entitlement.layer, StatusPageRepository.layer, MonitorRecordRepository.layer])
  )
}

/** The state of a custom domain that nothing was done for yet. */
const initialStatus = ({ customDomain }: PageDraft): StatusPage["customDomainStatus"] =>
  customDomain === null ? "none" : "pending_dns"

const sameMonitors = (some: ReadonlyArray<PageMonitor>, others: ReadonlyArray<PageMonitor>): boolean =>
  some.length === others.length &&
  some.every(
    ({ displayGroup, monitorId }, index) =>
      monitorId === others[index]!.monitorId && displayGroup === others[index]!.displayGroup
  )

/** The fields that users set. */
const audited = ({ customDomain, embedOrigins, key, monitors, name, slug, tags }: StatusPage) => ({
  key,
  name,
  slug,
  customDomain,
  monitors,
  tags,
  embedOrigins
})
