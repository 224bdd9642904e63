/** `kanmon account`: what the operator does when somebody forgot a password, or a session was stolen. */
import { randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { AuthRecords, type AuthRecord, type Where } from "@kanmon/core/AuthRecords"
import { Accounts } from "@kanmon/store/accounts/Accounts"
import { SignInAttempts } from "@kanmon/store/accounts/SignInAttempts"
import { Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AccountStore from "./AccountStore.ts"

/** It cannot be done; the message says why. */
class AccountUnchanged extends Data.TaggedError("AccountUnchanged")<{ readonly message: string }> {}

const email = Argument.String("email")

const is = (field: string, value: unknown): Where => ({
  field,
  operator: "eq",
  value,
  connector: "AND",
  insensitive: false
})

const resetPassword = Command.make(
  "reset-password",
  {
    email,
    stdin: Flag.Boolean("stdin").pipe(
      Flag.withDescription("Reads the new password from standard input instead of making one"),
      Flag.withDefault(false)
    )
  },
  ({ email, stdin }) =>
    Effect.gen(function* () {
      const account = yield* (yield* Accounts).find(email)
      const password = stdin
        ? (yield* Effect.promise(() => text(process.stdin))).split(/\r?\n/)[0]!
        : randomBytes(18).toString("base64url")
      let done = false
      for (const { setPassword } of yield* AccountStore.auths)
        done = done || (setPassword !== undefined && (yield* setPassword(account.email, password)))
      if (!done)
        return yield* new AccountUnchanged({ message: `${account.email} signs in without a password of Kanmon's` })
      yield* (yield* SignInAttempts).forget(account.email)
      yield* Console.log(
        [
          stdin ? `The password of ${account.email} is changed.` : `The new password of ${account.email}: ${password}`,
          "Its sessions have ended. API keys of its projects go on working; POST /projects/{id}/api-key replaces one."
        ].join("\n")
      )
    }).pipe(
      Effect.catchTag("InvalidFields", (error) => Effect.fail(new AccountUnchanged({ message: error.message }))),
      Effect.provide(AccountStore.layer)
    )
).pipe(Command.withDescription("Gives an account a new password and ends its sessions"))

const shown = ({ createdAt, expiresAt, id, ipAddress, userAgent }: AuthRecord): string =>
  [
    String(id),
    `since ${(createdAt as Date).toISOString()}`,
    `until ${(expiresAt as Date).toISOString()}`,
    `from ${String(ipAddress ?? "an unknown address")}`,
    // A header of whoever signed in: it must not move the cursor.
    JSON.stringify(String(userAgent ?? "").slice(0, 200))
  ].join("  ")

const sessions = Command.make("sessions", { email }, ({ email }) =>
  Effect.gen(function* () {
    const { id } = yield* (yield* Accounts).find(email)
    const rows = yield* (yield* AuthRecords).find("session", [is("userId", id)], {
      limit: 1000,
      sortBy: { field: "createdAt", direction: "desc" }
    })
    yield* Console.log(rows.length === 0 ? "There are no sessions." : rows.map(shown).join("\n"))
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Lists the sessions of an account"))

const revoke = Command.make(
  "revoke",
  { email, session: Argument.String("session").pipe(Argument.optional) },
  ({ email, session }) =>
    Effect.gen(function* () {
      const account = yield* (yield* Accounts).find(email)
      const one = Option.match(session, { onNone: () => [], onSome: (id) => [is("id", id)] })
      const ended = yield* (yield* AuthRecords).remove("session", [is("userId", account.id), ...one])
      if (Option.isSome(session) && ended.length === 0)
        return yield* new AccountUnchanged({ message: `${account.email} has no session ${session.value}` })
      yield* Console.log(`${ended.length} ${ended.length === 1 ? "session has" : "sessions have"} ended.`)
    }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Ends one session of an account, or all of them"))

const unlock = Command.make("unlock", { email }, ({ email }) =>
  Effect.gen(function* () {
    const account = yield* (yield* Accounts).find(email)
    yield* (yield* SignInAttempts).forget(account.email)
    yield* Console.log(`${account.email} can sign in at once.`)
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Lifts the pause after failed attempts to sign in"))

export const account = Command.make("account").pipe(
  Command.withDescription("Passwords and sessions of accounts"),
  Command.withSubcommands([resetPassword, sessions, revoke, unlock])
)
