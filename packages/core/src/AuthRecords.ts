/**
 * The store of an auth plugin's records (accounts, sessions, verifications): plain rows of named models, found by
 * conditions. The database's failures are defects.
 */
import { Context, type Effect } from "effect"

/** A row. Dates are `Date`. */
export type AuthRecord = Readonly<Record<string, unknown>>

/** A condition on one field. Conditions are joined from left to right by `connector`. */
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

/** The models an auth plugin may keep. */
export type AuthModel = "user" | "session" | "account" | "verification"

export class AuthRecords extends Context.Service<
  AuthRecords,
  {
    /** Inserts a row. A new `user` gets its first project, "Default", in the same transaction. */
    readonly create: (model: AuthModel, row: AuthRecord) => Effect.Effect<AuthRecord>
    readonly find: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      options?: FindOptions
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Changes every match, and returns the rows as they are now. */
    readonly update: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      changes: AuthRecord
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Deletes every match and returns what was deleted: of several callers one gets the row. */
    readonly remove: (model: AuthModel, where: ReadonlyArray<Where>) => Effect.Effect<ReadonlyArray<AuthRecord>>
    /** Adds to numeric fields of one match in one statement, and sets others. */
    readonly increment: (
      model: AuthModel,
      where: ReadonlyArray<Where>,
      increments: Readonly<Record<string, number>>,
      set: AuthRecord
    ) => Effect.Effect<ReadonlyArray<AuthRecord>>
    readonly count: (model: AuthModel, where: ReadonlyArray<Where>) => Effect.Effect<number>
  }
>()("@kanmon/core/AuthRecords") {}
