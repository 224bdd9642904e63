/** Accounts and their sessions in responses of their routes. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Locale } from "@kanmon/domain/Locale"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"

const Time = Schema.String.annotate({ format: "date-time" })
/** An e-mail address of an account, as the mail standard limits it. */
export const Email = boundedText(254).annotate({ format: "email" })

/** A person with an account. */
export const Account = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  email: Email,
  emailVerified: Schema.Boolean,
  image: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Locale).annotate({
    description:
      "Language of messages to the person: mail about the account, pages and notifications; null: for mail the language that the browser asks for, else English"
  }),
  timezone: Schema.NullOr(Schema.String).annotate({
    description:
      "IANA time zone in which mail to the account shows times; null: that of the project, and UTC where there is none"
  }),
  twoFactorEnabled: Schema.Boolean.annotate({ description: "Whether signing in needs a code besides the password" }),
  createdAt: Time,
  updatedAt: Time
}).annotate({ identifier: "Account" })

/** A passkey of an account. */
export const Passkey = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  deviceType: Schema.String.annotate({
    description: "`singleDevice`: it stays on its device. `multiDevice`: a password manager can copy it"
  }),
  backedUp: Schema.Boolean.annotate({ description: "Whether a password manager has copied it" }),
  aaguid: Schema.NullOr(Schema.String).annotate({ description: "The model of the device or program, if it says so" }),
  createdAt: Time
}).annotate({ identifier: "Passkey" })

/** The second part of a sign-in, when the first one is not enough. */
export const SecondFactorNeeded = Schema.Struct({
  twoFactorRedirect: Schema.Literal(true),
  twoFactorMethods: Schema.Array(Schema.String)
}).annotate({ identifier: "SecondFactorNeeded" })

/** The ways to sign in that an installation offers. */
export const SignInMethods = Schema.Struct({
  password: Schema.Boolean.annotate({ description: "Whether accounts have passwords here" }),
  passkeys: Schema.Boolean.annotate({ description: "Whether browsers can keep passkeys for this address" }),
  signUp: Schema.Literals(["open", "closed"]).annotate({ description: "Whether anybody can create an account" }),
  singleSignOn: Schema.NullOr(
    Schema.Struct({ label: Schema.String.annotate({ description: "Label of the button" }) })
  ).annotate({
    description: "The identity provider of the installation; null without one. Organizations can have others"
  }),
  organizationSignOn: Schema.Boolean.annotate({
    description:
      "Whether any organization has an identity provider and a verified domain, so that an address can lead to it"
  }),
  mail: Schema.Boolean.annotate({
    description: "Whether mail is sent; if not, its links are printed on the console of the server"
  }),
  firstAccount: Schema.NullOr(
    Schema.Struct({
      needsCode: Schema.Boolean.annotate({
        description:
          "Whether it becomes the administrator only with the setup code that the server prints; false for a browser on the server's own machine"
      })
    })
  ).annotate({
    description: "Set on a new installation, as long as there is no account: the first one can become its administrator"
  })
}).annotate({ identifier: "SignInMethods" })

/** A session of an account. */
export const Session = Schema.Struct({
  id: Schema.String,
  userId: Schema.String,
  name: Schema.optionalKey(Schema.NullOr(Schema.String).annotate({ description: "Name of a program's session" })),
  impersonatedBy: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({ description: "The administrator who acts as the account; null otherwise" })
  ),
  organizationId: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({
      description:
        "The organization that the session is limited to, because its identity provider started it; null otherwise"
    })
  ),
  provenAt: Schema.optionalKey(
    Schema.NullOr(Time).annotate({
      description: "When the password was given again with `POST /auth/prove`; null if it was not"
    })
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
    description: "Name of a program's session, such as that of `kanmon login`; null for browsers"
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp.annotate({ description: "When it ends, unless it is used before" }),
  ipAddress: Schema.NullOr(Schema.String).annotate({ description: "From where it was begun" }),
  userAgent: Schema.NullOr(Schema.String).annotate({ description: "The user agent that the browser sent" }),
  current: Schema.Boolean.annotate({ description: "Whether it is the session of this request" })
}).annotate({ identifier: "AccountSession" })
