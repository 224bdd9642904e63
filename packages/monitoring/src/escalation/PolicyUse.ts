/** Keeps records that escalation policies name from being deleted. */
import { OrganizationLock, TeamUse } from "@kanmon/identity/organizations"
import { Effect, Layer } from "effect"
import { ChannelPolicies } from "../channels/index.ts"
import { ScheduleUse } from "../on-call/index.ts"
import { PolicyRepository } from "./PolicyRepository.ts"

const inWords = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `the escalation policy ${name}`)

export const schedules = Layer.effect(
  ScheduleUse,
  Effect.map(PolicyRepository, ({ naming }) =>
    ScheduleUse.of({ users: (id, scheduleId) => Effect.map(naming(id, scheduleId), inWords) })
  )
).pipe(Layer.provide(PolicyRepository.layer))

export const teams = Layer.effect(
  TeamUse,
  Effect.map(PolicyRepository, ({ naming }) =>
    TeamUse.of({ users: (id, teamId) => Effect.map(naming(id, teamId), inWords) })
  )
).pipe(Layer.provide(PolicyRepository.layer))

export const channels = Layer.effect(
  ChannelPolicies,
  Effect.gen(function* () {
    const { naming } = yield* PolicyRepository
    const { holdOwner } = yield* OrganizationLock
    return ChannelPolicies.of({
      users: Effect.fn("ChannelPolicies.users")(function* (projectId, id) {
        const organizationId = yield* holdOwner(projectId)
        return organizationId === undefined ? [] : inWords(yield* naming(organizationId, id))
      })
    })
  })
).pipe(Layer.provide([PolicyRepository.layer, OrganizationLock.layer]))
