/** Whether people can be on call, for those who name them. */
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { peopleIn } from "@kanmon/domain/OnCallEdit"
import type { Layer, RotatingLayer } from "@kanmon/domain/OnCallSchedule"
import type { Reachable } from "@kanmon/domain/NotificationRules"
import { roleFor } from "@kanmon/domain/Role"
import type { ScheduleWarning } from "@kanmon/protocol/ScheduleBody"
import { Clock, Context, Effect, Layer as Layers } from "effect"
import { PeopleRepository } from "./PeopleRepository.ts"
import { mayRespond } from "./Reckonings.ts"
import type { StoredSchedule } from "./ScheduleRecords.ts"

const needed = roleFor("schedules.override")

export class Participants extends Context.Service<
  Participants,
  {
    /** Refuses layers with people who cannot be on call. People whom the schedule already names may stay. */
    readonly admit: (
      id: OrganizationId,
      layers: ReadonlyArray<Layer>,
      earlier?: ReadonlyArray<RotatingLayer>
    ) => Effect.Effect<void, InvalidFields>
    /** Refuses somebody who cannot be on call. */
    readonly admitOne: (id: OrganizationId, path: string, userId: UserId) => Effect.Effect<void, InvalidFields>
    /** The participants of schedules of one organization who cannot take their turns now, in the same order. */
    readonly warnings: (
      schedules: ReadonlyArray<StoredSchedule>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<ScheduleWarning>>>
  }
>()("@kanmon/monitoring/on-call/Participants") {
  static readonly layer = Layers.effect(
    Participants,
    Effect.gen(function* () {
      const people = yield* PeopleRepository

      const admitAll = Effect.fnUntraced(function* (
        id: OrganizationId,
        named: ReadonlyArray<{ readonly path: string; readonly userId: UserId }>
      ) {
        const roles = yield* people.roles(
          id,
          named.map(({ userId }) => userId)
        )
        const errors = named.flatMap(({ path, userId }): ReadonlyArray<FieldError> => {
          const role = roles.get(userId)
          if (mayRespond(role)) return []
          return [
            {
              path,
              message:
                role === undefined
                  ? `The organization has no member ${userId}; invite the person first`
                  : `This member has the role ${role}; give them the role ${needed} first`
            }
          ]
        })
        if (errors.length > 0) return yield* new InvalidFields({ errors })
      })

      return Participants.of({
        admit: (id, layers, earlier = []) => {
          const known = peopleIn(earlier)
          const named = layers.flatMap(({ participants }, layer) =>
            participants.map(({ userId }, index) => ({
              path: `layers[${layer}].participants[${index}].userId`,
              userId
            }))
          )
          return admitAll(
            id,
            named.filter(({ userId }) => !known.has(userId))
          )
        },
        admitOne: (id, path, userId) => admitAll(id, [{ path, userId }]),
        warnings: Effect.fn("Participants.warnings")(function* (schedules) {
          const [first] = schedules
          if (first === undefined) return []
          const now = yield* Clock.currentTimeMillis
          const named = new Set(schedules.flatMap(({ layers }) => [...peopleIn(layers)]))
          const [roles, away] = yield* Effect.all([
            people.roles(first.organizationId, [...named]),
            people.away([...named], now)
          ])
          return schedules.map(({ layers }) =>
            [...peopleIn(layers)].flatMap((userId): ReadonlyArray<ScheduleWarning> => {
              const role = roles.get(userId)
              if (role === undefined)
                return [{ code: "participant_left", userId, message: "The person is no member of the organization" }]
              if (!mayRespond(role))
                return [
                  {
                    code: "participant_may_not_respond",
                    userId,
                    message: `The member has the role ${role}, and needs the role ${needed}`
                  }
                ]
              const isAway = away.get(userId)?.some(({ from, to }) => from <= now && now < to) ?? false
              return isAway ? [{ code: "participant_away", userId, message: "The person is away" }] : []
            })
          )
        })
      })
    })
  ).pipe(Layers.provide(PeopleRepository.layer))
}

/** The warnings of a schedule with those of participants whom critical alerts do not reach, or reach by e-mail alone. */
export const withReach = (
  { layers }: Pick<StoredSchedule, "layers">,
  warnings: ReadonlyArray<ScheduleWarning>,
  reached: ReadonlyMap<UserId, Reachable>
): ReadonlyArray<ScheduleWarning> => {
  // Former members are no longer the organization's concern, including their contact methods.
  const left = new Set(warnings.flatMap(({ code, userId }) => (code === "participant_left" ? [userId] : [])))
  const more = [...peopleIn(layers)].flatMap((userId): ReadonlyArray<ScheduleWarning> => {
    if (left.has(userId)) return []
    switch (reached.get(userId)) {
      case "no":
        return [{ code: "participant_unreachable", userId, message: "No critical alert reaches the person" }]
      case "emailOnly":
        return [
          { code: "participant_by_email_only", userId, message: "Critical alerts reach the person by e-mail alone" }
        ]
      default:
        return []
    }
  })
  return [...warnings, ...more]
}
