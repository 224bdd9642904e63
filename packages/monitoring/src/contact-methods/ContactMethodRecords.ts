/** Contact methods as rows. The configuration is stored encrypted as a whole; that of the account's e-mail is the account's address. */
import type { Channel } from "@kanmon/core/Channel"
import { ContactMethodId, UserId } from "@kanmon/domain/Ids"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Secrets } from "@kanmon/platform/database/Secrets"
import { Schema } from "effect"
import { emailKind, type LastDelivery, storedLastDelivery } from "../channels/index.ts"

/** How a person wants to be reached. */
export interface StoredContactMethod {
  readonly id: ContactMethodId
  readonly userId: UserId
  readonly name: string
  /** Null: the e-mail address of the account, which is there always and changes with the account alone. */
  readonly type: string | null
  /** Decrypted, as its plugin encoded it; empty for the address of the account. */
  readonly config: Schema.JsonObject
  /** The address of the account. */
  readonly email: string
  /** A keyed hash of where it leads. */
  readonly destination: string | null
  /** Null: nothing but a code is sent there. */
  readonly confirmedAt: EpochMillis | null
  /** Why nothing is sent there any more; null while it works. */
  readonly disabledReason: string | null
  readonly lastDelivery: LastDelivery | null
  readonly createdAt: EpochMillis
  readonly updatedAt: EpochMillis
}

/** A method with the type and the configuration with which messages are sent. */
export interface ContactMethod extends StoredContactMethod {
  readonly type: string
  readonly isAccount: boolean
}

/** The parts that a person sets, and what follows from them. */
export interface ContactMethodDraft extends Pick<ContactMethod, "name" | "type" | "config"> {
  readonly destination: string
}

/** Whether messages are sent to it. */
export const isReady = ({
  confirmedAt,
  disabledReason
}: Pick<StoredContactMethod, "confirmedAt" | "disabledReason">): boolean =>
  confirmedAt !== null && disabledReason === null

/** The type of a mail to the account where no plugin sends mail: deliveries fail and say so. */
const noMail = "email"

/** The method as the kinds of the plugins send to it: the address of the account is that of the kind which sends mail. */
export const named = (
  kinds: ReadonlyMap<string, Channel>
): (<Method extends StoredContactMethod>(method: Method) => Method & ContactMethod) => {
  const mail = emailKind(kinds)
  const field = mail?.recipient?.field ?? "address"
  return (method) => ({
    ...method,
    isAccount: method.type === null,
    type: method.type ?? mail?.type ?? noMail,
    config: method.type === null ? { [field]: method.email } : method.config
  })
}

export const ContactMethodRow = Schema.Struct({
  id: ContactMethodId,
  userId: UserId,
  name: Schema.String,
  type: Schema.NullOr(Schema.String),
  configEncrypted: Schema.NullOr(Schema.String),
  destination: Schema.NullOr(Schema.String),
  confirmedAt: Schema.NullOr(Rows.Time),
  disabledReason: Schema.NullOr(Schema.String),
  lastDelivery: Schema.Unknown,
  createdAt: Rows.Time,
  updatedAt: Rows.Time,
  /** The account's address, and whether it is verified. */
  email: Schema.String,
  emailVerified: Schema.Boolean
})

// Without a version: the fields are the plugin's, which reads what its own older versions stored.
const decodeConfig = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** A method from its row, decrypted with the installation's key. */
export const methodOf =
  (secrets: Secrets["Service"]) =>
  <Row extends typeof ContactMethodRow.Type>({ configEncrypted, emailVerified, lastDelivery, ...row }: Row) => ({
    ...row,
    config: configEncrypted === null ? {} : decodeConfig(secrets.decrypt(configEncrypted, row.id)),
    confirmedAt: row.type === null ? (emailVerified ? row.createdAt : null) : row.confirmedAt,
    lastDelivery: lastDelivery === null ? null : storedLastDelivery.decode(lastDelivery)
  })
