/** Notification channels as rows. The configuration is stored encrypted as a whole. */
import { ChannelId, ProjectId } from "@kanmon/domain/Ids"
import { QuietHours } from "@kanmon/domain/QuietHours"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import * as Persisted from "@kanmon/platform/database/Persisted"
import * as Rows from "@kanmon/platform/database/Rows"
import type { Secrets } from "@kanmon/platform/database/Secrets"

/** Whether the recipient has agreed to receive notifications. */
export const Confirmation = Schema.Literals(["not_needed", "pending", "confirmed"])
export type Confirmation = typeof Confirmation.Type

/** The confirmation of one recipient, and when it confirmed. */
export const RecipientState = Schema.Struct({ confirmation: Confirmation, confirmedAt: Schema.NullOr(Timestamp) })
export type RecipientState = typeof RecipientState.Type

/** The recipients of a channel by keyed hashes. */
const RecipientStates = Schema.Record(Schema.String, RecipientState)
export type RecipientStates = typeof RecipientStates.Type

/** The recipients as JSON. */
export const storedRecipients = Persisted.make(RecipientStates)

/** A channel waits for a confirmation as long as none of its recipients gets anything. */
export const confirmationOfAll = (states: ReadonlyArray<RecipientState>): RecipientState =>
  states
    .filter(({ confirmation }) => confirmation === "confirmed")
    .toSorted((one, other) => (one.confirmedAt ?? 0) - (other.confirmedAt ?? 0))[0] ??
  states.find(({ confirmation }) => confirmation === "not_needed") ??
  states[0] ?? { confirmation: "not_needed", confirmedAt: null }

/** The newest attempt. */
export const LastDelivery = Schema.Struct({
  at: Timestamp,
  status: Schema.Literals(["delivered", "retrying", "failed"]),
  detail: Schema.String
})
export type LastDelivery = typeof LastDelivery.Type

/** The newest attempt as JSON. */
export const storedLastDelivery = Persisted.make(LastDelivery)

/** Quiet hours as JSON: those of a channel, and those of a person. */
export const storedQuietHours = Persisted.make(QuietHours)

// Without a version: the fields are the plugin's, which reads what its own older versions stored.
const decodeConfig = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** The fields of a channel that a user sets. `config` is decrypted, as its plugin encoded it. */
export interface ChannelDraft {
  readonly name: string
  readonly type: string
  readonly config: Schema.JsonObject
  /** Unchanged when absent; a new channel has none. */
  readonly key?: string | null
  /** Unchanged when absent; a new channel has none. */
  readonly quietHours?: QuietHours | null
  /** The confirmation of new recipients as a whole. Unchanged when absent; a new channel needs none. */
  readonly confirmation?: Confirmation
  /** Each recipient's, by keyed hashes. Unchanged when absent. */
  readonly recipients?: RecipientStates
}

export const ChannelRow = Schema.Struct({
  id: ChannelId,
  projectId: ProjectId,
  key: Schema.NullOr(Schema.String),
  name: Schema.String,
  type: Schema.String,
  configEncrypted: Schema.String,
  confirmation: Confirmation,
  confirmedAt: Schema.NullOr(Rows.Time),
  recipients: Schema.Unknown,
  quietHours: Schema.Unknown,
  /** Why nothing is sent any more; null while it works. */
  disabledReason: Schema.NullOr(Schema.String),
  lastDelivery: Schema.Unknown,
  createdAt: Rows.Time,
  updatedAt: Rows.Time
})

export interface StoredChannel extends Omit<
  typeof ChannelRow.Type,
  "configEncrypted" | "lastDelivery" | "quietHours" | "recipients"
> {
  readonly config: Schema.JsonObject
  readonly quietHours: QuietHours | null
  /** By keyed hashes; one that is not listed is as the channel is. */
  readonly recipients: RecipientStates
  readonly lastDelivery: LastDelivery | null
}

/** Decrypts a row with the installation's key. */
export const decrypted =
  (secrets: Secrets["Service"]) =>
  <Row extends typeof ChannelRow.Type>({ configEncrypted, lastDelivery, quietHours, recipients, ...row }: Row) => ({
    ...row,
    config: decodeConfig(secrets.decrypt(configEncrypted, row.id)),
    quietHours: quietHours === null ? null : storedQuietHours.decode(quietHours),
    recipients: storedRecipients.decode(recipients),
    lastDelivery: lastDelivery === null ? null : storedLastDelivery.decode(lastDelivery)
  })

/** Encrypts a configuration for its channel. */
export const encrypted = (secrets: Secrets["Service"], id: ChannelId, config: Schema.JsonObject): string =>
  secrets.encrypt(JSON.stringify(config), id)
