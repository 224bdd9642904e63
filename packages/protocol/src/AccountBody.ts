/** Accounts and their sessions in responses of the auth plugin. */
import { Locale } from "@kanmon/domain/Locale"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

const Time = Schema.String.annotate({ format: "date-time" })
/** An e-mail address of an account, as the mail standard limits it. */
export const Email = Schema.String.check(Schema.isMaxLength(254)).annotate({ format: "email" })

/** A person with an account. */
export const Account = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  email: Email,
  emailVerified: Schema.Boolean,
  image: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Locale).annotate({
    description: "Language of the account's mail; null: the language that the browser asks for"
  }),
  createdAt: Time,
  updatedAt: Time
}).annotate({ identifier: "Account" })

/** A session of an account. */
export const Session = Schema.Struct({
  id: Schema.String,
  userId: Schema.String,
  token: Schema.optionalKey(Schema.String.annotate({ description: "Absent for the session of a program" })),
  name: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "What a program's session is called" })
  ),
  impersonatedBy: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "The administrator who acts as the account; null otherwise" })
  ),
  expiresAt: Time,
  createdAt: Time,
  updatedAt: Time,
  ipAddress: Schema.optionalKey(Schema.NullOr(Schema.String)),
  userAgent: Schema.optionalKey(Schema.NullOr(Schema.String))
}).annotate({ identifier: "Session" })

/** A session without its token: nothing that signs anybody in. */
export const AccountSession = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String).annotate({
    description: "What a program's session is called, such as that of `kanmon login`; null for browsers"
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "When it ends, unless it is used before" }),
  ipAddress: Schema.NullOr(Schema.String).annotate({ description: "From where it was begun" }),
  userAgent: Schema.NullOr(Schema.String).annotate({ description: "What the browser called itself" }),
  current: Schema.Boolean.annotate({ description: "Whether it is the session of this request" })
}).annotate({ identifier: "AccountSession" })
