/**
 * Ends what stays open when an account's role in a project changes. Requests ask for the role each time; an event stream was
 * admitted once, so all of a process are asked for together, as long as there are any: in the database, which every process
 * shares, and which knows of removed members, lowered roles and deleted organizations alike.
 */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import type { Role } from "@kanmon/domain/Role"
import { Context, Deferred, Effect, Latch, Layer } from "effect"
import { Projects } from "../projects/index.ts"

/** Access ends within a second. */
const lookEvery = "400 millis"
/** A database that does not answer takes nobody's access away; the next look comes soon. */
const lookLimit = "2 seconds"

interface Watched {
  readonly userId: UserId
  readonly projectId: ProjectId
  readonly role: Role
  readonly changed: Deferred.Deferred<void>
}

export class AccessWatch extends Context.Service<
  AccessWatch,
  {
    /** Returns when the account no longer has exactly this role in the project. */
    readonly changed: (userId: UserId, projectId: ProjectId, role: Role) => Effect.Effect<void>
  }
>()("@kanmon/control-plane/events/AccessWatch") {
  static readonly layer = Layer.effect(
    AccessWatch,
    Effect.gen(function* () {
      const { rolesOf } = yield* Projects
      const watched = new Set<Watched>()
      const some = Latch.makeUnsafe(false)

      const look = Effect.gen(function* () {
        const all = [...watched]
        const distinct = new Map(all.map(({ projectId, userId }) => [keyOf(userId, projectId), { userId, projectId }]))
        const found = yield* rolesOf([...distinct.values()])
        const roles = new Map(found.map(({ projectId, role, userId }) => [keyOf(userId, projectId), role]))
        for (const { changed, projectId, role, userId } of all)
          if (roles.get(keyOf(userId, projectId)) !== role) yield* Deferred.succeed(changed, undefined)
      }).pipe(Effect.timeoutOption(lookLimit), Effect.ignoreCause)

      yield* some.await.pipe(
        Effect.andThen(Effect.sleep(lookEvery)),
        Effect.andThen(look),
        Effect.forever,
        Effect.forkScoped
      )

      const enter = (one: Watched) =>
        Effect.sync(() => {
          watched.add(one)
          some.openUnsafe()
        })
      const leave = (one: Watched) =>
        Effect.sync(() => {
          watched.delete(one)
          if (watched.size === 0) some.closeUnsafe()
        })

      const changed: AccessWatch["Service"]["changed"] = (userId, projectId, role) =>
        Effect.suspend(() => {
          const one: Watched = { userId, projectId, role, changed: Deferred.makeUnsafe() }
          return Effect.acquireUseRelease(
            enter(one),
            () => Deferred.await(one.changed),
            () => leave(one)
          )
        })

      return AccessWatch.of({ changed })
    })
  )
}

const keyOf = (userId: UserId, projectId: ProjectId): string => `${userId} ${projectId}`
