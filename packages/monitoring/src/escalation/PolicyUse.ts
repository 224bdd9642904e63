/** Keeps records that escalation policies name from being deleted. */
import { Effect, Layer } from "effect"
import { ScheduleUse } from "../on-call/index.ts"
import { PolicyRepository } from "./PolicyRepository.ts"

const inWords = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => `the escalation policy ${name}`)

export const layer = Layer.effect(
  ScheduleUse,
  Effect.map(PolicyRepository, ({ naming }) =>
    ScheduleUse.of({ users: (id, scheduleId) => Effect.map(naming(id, scheduleId), inWords) })
  )
).pipe(Layer.provide(PolicyRepository.layer))
