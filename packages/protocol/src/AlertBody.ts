/** The bodies with which alerts are acknowledged, snoozed and silenced. */
import { AlertNote } from "@kanmon/domain/Alert"
import { decodeStrict, InvalidFields } from "@kanmon/domain/FieldErrors"
import { MonitorId } from "@kanmon/domain/Ids"
import { type Silence, SilenceReason } from "@kanmon/domain/Silence"
import { Tags } from "@kanmon/domain/Tag"
import { dayMillis, type EpochMillis, Timestamp } from "@kanmon/domain/Timestamp"
import { Effect, Result, Schema } from "effect"
import * as Body from "./Body.ts"

export const acknowledgementFields = {
  note: Schema.NullOr(AlertNote)
    .annotate({ description: "A note for others, such as who works on it" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}

export const snoozeFields = {
  until: Timestamp.annotate({ description: "When reminders go on: in the future, at most 30 days ahead" })
}

export const silenceFields = {
  monitorIds: Schema.Array(MonitorId)
    .check(Schema.isMaxLength(1000))
    .annotate({ description: "Monitors to silence" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  tags: Tags.annotate({ description: "Silences every monitor that carries one of these tags, also later" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed([]))
  ),
  until: Timestamp.annotate({ description: "End of the silence: in the future, at most 366 days ahead" }),
  reason: SilenceReason.annotate({ description: "Why nothing is to be sent" })
}

type Sent<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields>["Encoded"]

export type AcknowledgementRequest = Sent<typeof acknowledgementFields>
export type SnoozeRequest = Sent<typeof snoozeFields>
export type SilenceRequest = Sent<typeof silenceFields>

const maxSnooze = 30 * dayMillis
const maxSilence = 366 * dayMillis

const decodeAcknowledgement = Body.fit(decodeStrict(Schema.Struct(acknowledgementFields)))
const decodeSnooze = Body.fit(decodeStrict(Schema.Struct(snoozeFields)))
const decodeSilence = Body.fit(decodeStrict(Schema.Struct(silenceFields)))

/** Refuses an end that is not in the future, or too far ahead. */
const ahead = <A extends { readonly until: EpochMillis }>(value: A, now: EpochMillis, max: number) => {
  const message =
    value.until <= now
      ? "Expected an instant in the future"
      : value.until > now + max
        ? `Expected an instant at most ${max / dayMillis} days ahead`
        : undefined
  return message === undefined
    ? Result.succeed(value)
    : Result.fail(new InvalidFields({ errors: [{ path: "until", message }] }))
}

/** Decodes an acknowledgement, which may come without a body. */
export const acknowledgement = (body: unknown) => decodeAcknowledgement(body ?? {})

/** Decodes a snooze. */
export const snooze = (body: unknown, now: EpochMillis) =>
  Result.flatMap(decodeSnooze(body), (value) => ahead(value, now, maxSnooze))

/** Decodes a silence; whether its monitors exist is for those who know. */
export const silence = (
  body: unknown,
  now: EpochMillis
): Result.Result<Pick<Silence, "monitorIds" | "tags" | "until" | "reason">, InvalidFields> =>
  Result.flatMap(decodeSilence(body), ({ monitorIds, tags, ...value }) =>
    monitorIds.length === 0 && tags.length === 0
      ? Result.fail(
          new InvalidFields({ errors: [{ path: "monitorIds", message: "Expected monitors or tags to silence" }] })
        )
      : ahead({ ...value, monitorIds: [...new Set(monitorIds)], tags: [...new Set(tags)] }, now, maxSilence)
  )
