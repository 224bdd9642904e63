/**
 * Ends what stays open when its caller loses access. Requests ask for session, key and role each time; an event stream was
 * admitted once, so all of a process are asked for together, as long as there are any: in the database, which every process
 * shares, and which knows of removed members, ended sessions, deleted keys and disabled organizations alike.
 */
import type { ProjectId, UserId } from "@kanmon/domain/Ids"
import { actingRole, type Principal } from "@kanmon/domain/Principal"
import { type Role } from "@kanmon/domain/Role"
import { Clock, Context, Deferred, Effect, Latch, Layer } from "effect"
import { Projects } from "@kanmon/identity/projects"
import { CredentialRepository } from "./CredentialRepository.ts"

/** Access ends within a second. */
const lookEvery = "400 millis"
/** A database that does not answer ends no access. The next look comes soon. */
const lookLimit = "2 seconds"

interface Watched {
  readonly caller: Principal
  readonly projectId: ProjectId
  readonly role: Role
  /** The stamp of the project's own key at admission. */
  readonly stamp: string
  readonly ended: Deferred.Deferred<void>
}

/** The session or the key of a caller; undefined for a session that the auth plugin does not name. */
const credentialOf = (caller: Principal) => {
  if (caller._tag === "ProjectKey")
    return caller.key === undefined
      ? ({ kind: "project", id: caller.projectId } as const)
      : ({ kind: "key", id: caller.key.id } as const)
  if (caller._tag === "OrganizationKey") return { kind: "key", id: caller.key.id } as const
  return caller.sessionId === undefined ? undefined : ({ kind: "session", id: caller.sessionId } as const)
}

export class AccessWatch extends Context.Service<AccessWatch>()("@kanmon/monitoring/events/AccessWatch", {
  make: Effect.gen(function* () {
    const { rolesOf } = yield* Projects
    const repository = yield* CredentialRepository
    const watched = new Set<Watched>()
    const some = Latch.makeUnsafe(false)

    /** The stamps of what stands. */
    const standing = Effect.fnUntraced(function* (callers: ReadonlyArray<Principal>) {
      const all = callers.flatMap((caller) => credentialOf(caller) ?? [])
      const found = yield* repository.standing(
        {
          sessions: all.flatMap((one) => (one.kind === "session" ? [one.id] : [])),
          keys: all.flatMap((one) => (one.kind === "key" ? [one.id] : [])),
          projects: all.flatMap((one) => (one.kind === "project" ? [one.id] : []))
        },
        yield* Clock.currentTimeMillis
      )
      return new Map(found.map(({ id, stamp }) => [id, stamp]))
    })

    const look = Effect.gen(function* () {
      const all = [...watched]
      const people = all.flatMap(({ caller, projectId }) =>
        caller._tag === "User" ? [{ userId: caller.userId, projectId }] : []
      )
      const distinct = new Map(people.map((one) => [keyOf(one.userId, one.projectId), one]))
      const found = distinct.size === 0 ? [] : yield* rolesOf([...distinct.values()])
      const roles = new Map(found.map(({ projectId, role, userId }) => [keyOf(userId, projectId), role]))
      const stamps = yield* standing(all.map(({ caller }) => caller))
      const isEnded = ({ caller, projectId, role, stamp }: Watched): boolean => {
        const credential = credentialOf(caller)
        if (credential !== undefined && stamps.get(credential.id) !== stamp) return true
        if (caller._tag !== "User") return false
        const own = roles.get(keyOf(caller.userId, projectId))
        return own === undefined || actingRole(caller, own) !== role
      }
      for (const one of all) if (isEnded(one)) yield* Deferred.succeed(one.ended, undefined)
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

    /** Returns when the session or the key no longer stands, or when the account does not have exactly this role. */
    const ended = Effect.fnUntraced(function* (caller: Principal, projectId: ProjectId, role: Role) {
      const stamp =
        caller._tag === "ProjectKey" && caller.key === undefined
          ? ((yield* standing([caller])).get(caller.projectId) ?? "")
          : ""
      const one: Watched = { caller, projectId, role, stamp, ended: Deferred.makeUnsafe() }
      yield* Effect.acquireUseRelease(
        enter(one),
        () => Deferred.await(one.ended),
        () => leave(one)
      )
    })

    return { ended }
  })
}) {
  static readonly layer = Layer.effect(AccessWatch, AccessWatch.make).pipe(Layer.provide(CredentialRepository.layer))
}

const keyOf = (userId: UserId, projectId: ProjectId): string => `${userId} ${projectId}`
