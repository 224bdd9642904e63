/** Figures about the on-call duty of an organization. */
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { type Zone, zoneOf } from "@kanmon/domain/LocalTime"
import { figuresOf } from "@kanmon/domain/OnCallAnalytics"
import { includes, type Role } from "@kanmon/domain/Role"
import type { Span } from "@kanmon/domain/Spans"
import { Clock, Context, Effect, Layer } from "effect"
import { Schedules, Shifts } from "../on-call/index.ts"
import { AnalyticsRepository } from "./AnalyticsRepository.ts"

const utc: Zone = zoneOf("UTC")!

export class OnCallFigures extends Context.Service<OnCallFigures>()("@kanmon/monitoring/analytics/OnCallFigures", {
  make: Effect.gen(function* () {
    const repository = yield* AnalyticsRepository
    const schedules = yield* Schedules
    const shifts = yield* Shifts

    return {
      /** The figures of a window, as a member sees them: those of other people need the role `admin`. */
      of: Effect.fn("OnCallFigures.of")(function* (
        id: OrganizationId,
        window: Span,
        reader: { readonly userId: UserId; readonly role: Role }
      ) {
        // Duty that has not been done yet does not count.
        const past = { ...window, to: Math.min(window.to, yield* Clock.currentTimeMillis) }
        const done = yield* Effect.forEach(past.from < past.to ? yield* schedules.list(id) : [], (schedule) =>
          shifts.of(schedule, past)
        )
        const pages = yield* repository.pages(id, window)
        const all = done.flatMap((one) => one.shifts)
        const isSeen = ({ userId }: { readonly userId: UserId | null }) =>
          includes(reader.role, "admin") || userId === reader.userId
        const seen = new Set([...all, ...pages].filter(isSeen).flatMap(({ userId }) => userId ?? []))
        const people = new Map((yield* repository.people([...seen])).map((person) => [person.userId, person]))
        const zones = new Map([...people].map(([userId, { timezone }]) => [userId, zoneOf(timezone ?? "UTC") ?? utc]))
        const figures = figuresOf(all.filter(isSeen), pages.filter(isSeen), (userId) => zones.get(userId) ?? utc)
        return {
          ...window,
          people: figures.map(({ onCallMillis, userId, ...person }) => ({
            userId,
            name: people.get(userId)?.name ?? null,
            onCallSeconds: Math.round(onCallMillis / 1000),
            ...person
          })),
          timeToAcknowledge: yield* repository.waited(id, window, "acknowledged"),
          timeToResolve: yield* repository.waited(id, window, "resolved"),
          noisiestMonitors: yield* repository.noisiest(id, window)
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OnCallFigures, OnCallFigures.make).pipe(Layer.provide(AnalyticsRepository.layer))
}
