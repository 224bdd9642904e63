/**
 * The way of a new monitor, in order. The middleware of its endpoint has decided who asks, and that they may edit the project; here
 * the body is decoded, and in one transaction the plan admits the monitor, its references are checked, it is written, and probes,
 * subscribers and the audit log are told.
 *
 * Single creations of one project that wait for the lock on its account share the next transaction: alone each would hold the lock
 * for seven round trips and a commit. A creation that is refused never fails those that it waited with.
 */
import * as TraceContext from "@kanmon/core/TraceContext"
import { nextMonitorId, type MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Array, Clock, Context, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { OrganizationLock } from "@kanmon/identity/organizations"
import { ofItem } from "@kanmon/protocol/MonitorBulkBody"
import { Entitlement, type PlanLimitReached } from "@kanmon/identity/billing"
import { type ActingFrom, CurrentActor } from "@kanmon/platform/CurrentActor"
import * as CallCoalescer from "@kanmon/platform/CallCoalescer"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import * as DependencyUnavailable from "@kanmon/platform/DependencyUnavailable"
import { Transaction } from "@kanmon/platform/Transaction"
import * as MonitorAudit from "./MonitorAudit.ts"
import { MonitorChanges } from "./MonitorChanges.ts"
import * as MonitorDependencies from "./MonitorDependencies.ts"
import { created, type MonitorDraft } from "./MonitorDraft.ts"
import * as MonitorVetting from "./MonitorVetting.ts"
import { MonitorStateRepository } from "../evaluation/index.ts"
import { TokenRepository } from "../heartbeats/index.ts"
import { MonitorRecordRepository, type NewMonitor } from "../registry/index.ts"

type Refusal = InvalidFields | KeyTaken | PlanLimitReached

/** A monitor to create, and by whom. */
interface Creation extends NewMonitor {
  readonly acting: ActingFrom
  /** Its place among those that one request creates. */
  readonly place?: number
}
type Call = CallCoalescer.Call<Creation>

/** The most monitors of one transaction. */
const maxAtOnce = 64

/** The most monitors of one statement. */
const maxInStatement = 200

/** The way from the body of a request; `createMany` goes it for all monitors of a request together. */
export const fromBodies = Effect.gen(function* () {
  const vetting = yield* MonitorVetting.make
  const creation = yield* MonitorCreation
  return {
    create: Effect.fnUntraced(function* (projectId: ProjectId, body: unknown) {
      // 1. The body is decoded with the schema of its type, and what is costly to examine is examined beside the process.
      const draft = yield* vetting.create(projectId, body)
      // 2. to 8. below.
      return yield* creation.create(projectId, draft)
    }),
    createMany: Effect.fnUntraced(function* (projectId: ProjectId, body: unknown) {
      const drafts = yield* vetting.createMany(projectId, body)
      return yield* creation.createMany(projectId, drafts)
    })
  }
})

export class MonitorCreation extends Context.Service<MonitorCreation>()("@kanmon/monitoring/monitors/MonitorCreation", {
  make: Effect.gen(function* () {
    const organizations = yield* OrganizationLock
    const changes = yield* MonitorChanges
    const entitlement = yield* Entitlement
    const random = yield* SecureRandom.SecureRandom
    const records = yield* MonitorRecordRepository
    const states = yield* MonitorStateRepository
    const tokens = yield* TokenRepository
    const transaction = yield* Transaction
    const admitDependencies = MonitorDependencies.admitting(records)

    /** Concurrent calls never exceed the limit of the account's plan. Part of the caller's transaction, if there is one. */
    const create = Effect.fn("MonitorCreation.create")(function* (projectId: ProjectId, draft: MonitorDraft) {
      // 2. It gets its id, and what the draft leaves open.
      const creation = yield* creationOf(projectId, draft)
      yield* Effect.annotateCurrentSpan(TraceContext.attributesOf(subjectOf(creation)))
      // Others must not join the caller's transaction, nor wait for the lock that it may hold.
      if (yield* transaction.isOpen) yield* createAll(projectId, [awaited(creation)])
      else yield* submit(projectId, creation)
      return creation.monitor
    })

    /** Creates all of them or none. Invalid fields name the monitor by its place. */
    const createMany = Effect.fn("MonitorCreation.createMany")(function* (
      projectId: ProjectId,
      drafts: ReadonlyArray<MonitorDraft>
    ) {
      const creations = yield* Effect.forEach(drafts, (draft) => creationOf(projectId, draft))
      yield* createAll(
        projectId,
        creations.map((creation, place) => awaited({ ...creation, place }))
      )
      return creations.map(({ monitor }) => monitor)
    })

    /** Creates all of them or none. Calls that were interrupted while waiting for the lock are left out. */
    const createAll = (projectId: ProjectId, calls: ReadonlyArray<Call>) =>
      Effect.gen(function* () {
        // 3. The plan of the account, which stays locked, has room for them.
        yield* admit(
          projectId,
          calls.map(({ input }) => input.monitor)
        )
        const creations = calls.filter(({ isAwaited }) => isAwaited()).map(({ input }) => input)
        if (creations.length === 0) return
        const monitors = creations.map(({ monitor }) => monitor)
        const at = monitors[0]!.createdAt
        // 4. The monitors that they depend on exist, and form no circle.
        for (const { monitor, place } of creations)
          yield* Effect.mapError(admitDependencies(monitor), (error) =>
            place === undefined ? error : ofItem(place, error)
          )
        // 5. They are written. They depend on stored ones only: each statement may hold a part of them, and others get a turn.
        for (const some of Array.chunksOf(creations, maxInStatement)) yield* write(some)
        // 6. Rules and maintenance windows that follow their tags take them in.
        const tagged = monitors.filter(({ tags }) => tags.length > 0)
        yield* changes.follow(projectId, tagged, [...new Set(tagged.flatMap(({ tags }) => tags))], at)
        // 7. The outbox gets the specs for the probes, the events for subscribers, and the audit log its entries.
        for (const some of Array.chunksOf(creations, maxInStatement)) yield* tell(some, at)
        // 8. After the commit the relay of the outbox is woken, as after every append.
      }).pipe(transaction.run, TraceContext.about(TraceContext.shared(calls.map(({ input }) => subjectOf(input)))))

    const creationOf = Effect.fnUntraced(function* (projectId: ProjectId, draft: MonitorDraft) {
      const id: MonitorId = yield* Effect.provideService(nextMonitorId, SecureRandom.SecureRandom, random)
      const monitor = created(id, projectId, draft, yield* Clock.currentTimeMillis)
      return { monitor, writeOnly: draft.writeOnly ?? [], acting: yield* CurrentActor }
    })
    const awaited = (input: Creation): Call => ({ input, isAwaited: () => true })

    const admit = Effect.fnUntraced(function* (projectId: ProjectId, monitors: ReadonlyArray<Monitor>) {
      const owner = yield* organizations.holdOwner(projectId)
      if (owner === undefined) return
      const plan = yield* entitlement.planOf(owner, monitors[0]!.createdAt)
      for (const { interval, retryInterval } of monitors) {
        yield* entitlement.admitInterval(plan, interval)
        yield* entitlement.admitRetryInterval(plan, retryInterval)
      }
      yield* entitlement.admitMonitors(owner, plan, monitors.length, monitors[0]!.createdAt)
    })

    const write = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
      const monitors = creations.map(({ monitor }) => monitor)
      yield* records.insert(creations)
      yield* tokens.begin(
        monitors.flatMap(({ id, signalToken }) => (signalToken === null ? [] : [{ id, token: signalToken }]))
      )
      yield* states.begin(monitors)
      for (const { dependsOn, id } of monitors) {
        if (dependsOn.length > 0) yield* records.replaceDependencies(id, dependsOn)
      }
    })

    const tell = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>, at: EpochMillis) {
      for (const [acting, made] of byActor(creations)) {
        const told = made.map((monitor) => ({
          monitor,
          names: ["created"] as const,
          before: undefined,
          after: MonitorAudit.fieldsOf(monitor)
        }))
        yield* Effect.provideService(changes.publish(told, at), CurrentActor, acting)
      }
    })

    const together = (
      projectId: ProjectId,
      calls: ReadonlyArray<Call>
    ): Effect.Effect<ReadonlyArray<Exit.Exit<void, Refusal>>> =>
      Effect.flatMap(Effect.exit(createAll(projectId, calls)), (exit) =>
        Exit.isSuccess(exit) || calls.length === 1 || DependencyUnavailable.reason(exit.cause) !== undefined
          ? Effect.succeed(calls.map(() => exit))
          : // One of them is refused, and nothing was written: each gets a transaction of its own.
            Effect.forEach(calls, (call) => Effect.exit(createAll(projectId, [call])))
      )

    const submit = yield* CallCoalescer.make({ limit: maxAtOnce, handle: together })

    return { create, createMany }
  })
}) {
  static readonly layer = Layer.effect(MonitorCreation, MonitorCreation.make).pipe(
    Layer.provide([
      OrganizationLock.layer,
      Entitlement.layer,
      MonitorChanges.layer,
      MonitorRecordRepository.layer,
      MonitorStateRepository.layer,
      TokenRepository.layer
    ])
  )
}

const subjectOf = ({ monitor: { id, projectId } }: Creation): TraceContext.Subject => ({ monitorId: id, projectId })

/** The new monitors of each actor, in their order. */
const byActor = (creations: ReadonlyArray<Creation>): Iterable<readonly [ActingFrom, ReadonlyArray<Monitor>]> => {
  const groups = Map.groupBy(creations, ({ acting: { actor, address } }) =>
    JSON.stringify([actor.kind, actor.id, actor.name, address])
  )
  return [...groups.values()].map((group) => [group[0]!.acting, group.map(({ monitor }) => monitor)] as const)
}
