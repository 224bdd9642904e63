/**
 * Stores what the driver of sign-in keeps (accounts, sessions, verifications, second factors, passkeys) as rows of named models.
 * Database failures are defects.
 */
import { Context, type Effect } from "effect"

/** A row. Dates are `Date`. */
export type AuthRecord = Readonly<Record<string, unknown>>

/** A condition on one field. Conditions are combined from left to right by `connector`. */
export interface Where {
  readonly field: string
  readonly operator:
    "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "in" | "not_in" | "contains" | "starts_with" | "ends_with"
  readonly value: unknown
  readonly connector: "AND" | "OR"
  readonly insensitive: boolean
}

export interface FindOptions {
  readonly limit?: number
  readonly offset?: number
  readonly sortBy?: { readonly field: string; readonly direction: "asc" | "desc" }
}

/** The models of the driver. */
export type AuthModel = "user" | "session" | "account" | "verification" | "twoFactor" | "passkey" | "deviceCode"

export class AuthRecords extends Context.Service<
  AuthRecords,
  {
    /**
     * Inserts a row. In the same transaction a new `user` gets an organization of its own with a first project, or with the
     * token of an invitation in the field `invitation` becomes a member of that organization, and its address is verified.
     */
    readonly create: (model: AuthModel, row: AuthRecord) => Effect.Effect<AuthRecord>
    readonly find: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      options?: FindOptions
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Updates all matches and returns the updated rows. */
    readonly update: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      changes: AuthRecord
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Deletes all matches and returns the deleted rows. Each row goes to only one of several concurrent callers. */
    readonly remove: (model: AuthModel, where: ReadonlyArray<Where>) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Atomically adds to numeric fields of one match, and sets other fields. */
    readonly increment: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      increments: Readonly<Record<string, number>>,
      set: AuthRecord
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    readonly count: (model: AuthModel, where: ReadonlyArray<Where>) => Effect.Effect<number>
  }
>()("@kanmon/identity/users/AuthRecords") {}
