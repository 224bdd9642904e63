/** The quiet hours of a person: when messages that are not urgent wait. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { QuietHours } from "@kanmon/domain/QuietHours"
import { type Result, Schema } from "effect"
import * as Body from "./Body.ts"

export const PersonalQuietHours = Schema.Struct({
  quietHours: Schema.NullOr(QuietHours).annotate({
    description: "Pages below `holdBelow` wait for the end of these hours; null: none ever wait"
  })
}).annotate({ identifier: "PersonalQuietHours" })
export type PersonalQuietHours = typeof PersonalQuietHours.Type

/** Decodes a body; every broken field is named. */
export const decodeQuietHours: (body: unknown) => Result.Result<PersonalQuietHours, InvalidFields> = Body.fit(
  decodeStrict(PersonalQuietHours)
)
