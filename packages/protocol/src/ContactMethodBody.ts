/**
 * Contact methods: the ways to reach a person. Their `config` is that of the channel type, and the type's plugin
 * decodes it.
 */
import { patternText } from "@kanmon/domain/BoundedText"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { ContactMethodId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Result, Schema } from "effect"
import * as Body from "./Body.ts"
import type { ChannelTypes } from "./ChannelBody.ts"

/** The body of a new contact method, as it is sent. */
export type ContactMethodRequest = {
  [Type in keyof ChannelTypes]: {
    readonly name: string
    readonly type: Type
    readonly config: ChannelTypes[Type]["config"]
  }
}[keyof ChannelTypes]

/** The body of a change. Fields that are left out stay. */
export type ContactMethodUpdate = {
  [Type in keyof ChannelTypes]: {
    readonly name?: string
    readonly type?: Type
    readonly config?: Body.Change<ChannelTypes[Type]["config"]>
  }
}[keyof ChannelTypes]

/** The fields of a body, for its description. */
export const contactMethodFields = {
  name: Body.name.annotate({ description: "Display name" }),
  type: Schema.String.annotate({ description: "A type of notification channel that reaches a person" }),
  config: Schema.JsonObject.annotate({
    description: "The fields of the type, as those of a notification channel of it; they name one recipient"
  })
}

/** Decodes the body of a channel without key and quiet hours: no file manages what belongs to a person, who has hours of their own. */
export const unkeyed = <A>(
  body: unknown,
  decode: (body: unknown) => Result.Result<A, InvalidFields>
): Result.Result<A, InvalidFields> => {
  const foreign = Body.isObject(body) ? ["key", "quietHours"].filter((field) => Object.hasOwn(body, field)) : []
  return foreign.length > 0
    ? Result.fail(new InvalidFields({ errors: foreign.map((path) => ({ path, message: "Unknown field" })) }))
    : decode(body)
}

/** The code that was sent to a contact method. */
export const Code = Schema.Struct({
  code: patternText(6, /^\d{6}$/, "Expected the six digits that were sent")
})

/** A contact method in a response. */
export const ContactMethod = Schema.Struct({
  id: ContactMethodId,
  name: Schema.String,
  type: Schema.String,
  config: Schema.JsonObject.annotate({
    description: "Its fields depend on the type; secrets are shown as four dots and their last four characters"
  }),
  isAccount: Schema.Boolean.annotate({
    description:
      "Whether it is the e-mail address of the account: it is always there, cannot be changed or deleted, and is confirmed as soon as the address is verified"
  }),
  confirmedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the person confirmed it; null: nothing but a code is sent there"
  }),
  disabledReason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why nothing is sent there any more; null while it works. Changing the configuration switches it on again"
  }),
  lastDelivery: Schema.NullOr(
    Schema.Struct({
      at: Timestamp,
      status: Schema.Literals(["delivered", "retrying", "failed"]),
      detail: Schema.String
    })
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "ContactMethod" })
export type ContactMethod = typeof ContactMethod.Type
