/** Bodies with which people push the escalation of an alert on. */
import { AlertNote } from "@kanmon/domain/Alert"
import { decodeStrict, InvalidFields } from "@kanmon/domain/FieldErrors"
import { ScheduleId, TeamId, UserId } from "@kanmon/domain/Ids"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

const maxStep = 1_000_000

export const escalateFields = {
  step: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxStep })).annotate({
    description: "`escalation.nextStep` of the alert as it was seen. If that step has run meanwhile, nothing happens"
  })
}

export const pageFields = {
  userId: Schema.optionalKey(UserId.annotate({ description: "This person" })),
  teamId: Schema.optionalKey(TeamId.annotate({ description: "Everybody in this team" })),
  scheduleId: Schema.optionalKey(
    ScheduleId.annotate({ description: "The person who is on call in this schedule now" })
  ),
  note: Schema.NullOr(AlertNote)
    .annotate({ description: "Why they are asked for" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

export type EscalateRequest = Schema.Struct<typeof escalateFields>["Encoded"]
export type PageRequest = Schema.Struct<typeof pageFields>["Encoded"]

/** The people that somebody asked for. */
export const PageAnswer = Schema.Struct({
  userIds: Schema.Array(UserId).annotate({
    description: "The people who are paged. A running list of contact methods is not started a second time"
  }),
  unreachable: Schema.Array(UserId).annotate({
    description:
      "The people who are not paged: they are away, may not respond, or have no confirmed contact method for this severity"
  })
}).annotate({ identifier: "PageAnswer" })
export type PageAnswer = typeof PageAnswer.Type

/** Whom somebody asks for: exactly one of the ids is set. */
export interface Asked {
  readonly userId?: UserId
  readonly teamId?: TeamId
  readonly scheduleId?: ScheduleId
  readonly note: string | null
}

export const escalate = Body.fit(decodeStrict(Schema.Struct(escalateFields)))

const decodePage = Body.fit(decodeStrict(Schema.Struct(pageFields)))

export const page = (body: unknown): Result.Result<Asked, InvalidFields> =>
  Result.flatMap(decodePage(body), ({ note, ...named }) =>
    Object.keys(named).length === 1
      ? Result.succeed({ ...named, note: note === "" ? null : note })
      : Result.fail(
          new InvalidFields({
            errors: [{ path: "userId", message: "Expected exactly one of userId, teamId, scheduleId" }]
          })
        )
  )
