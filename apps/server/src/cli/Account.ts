/** `kanmon account`: resets passwords, lists and ends sessions, and what AccountPeople.ts does. */
import { randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { Accounts, Sessions, SignInAttempts } from "@kanmon/identity/accounts"
import { Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AccountPeople from "./AccountPeople.ts"
import * as AccountStore from "./AccountStore.ts"

/** The account was not changed; the message says why. */
class AccountUnchanged extends Data.TaggedError("AccountUnchanged")<{ readonly message: string }> {}

const email = Argument.String("email")

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
      const accounts = yield* Accounts
      const account = yield* accounts.find(email)
      const password = stdin
        ? (yield* Effect.promise(() => text(process.stdin))).split(/\r?\n/)[0]!
        : randomBytes(18).toString("base64url")
      const { setPassword } = yield* AccountStore.signIn
      if (!(yield* setPassword(account.email, password)))
        return yield* new AccountUnchanged({ message: `${account.email} signs in without a password of Kanmon's` })
      yield* accounts.recordOperation(account, "account.password_reset", (yield* SignInAttempts).forget(account.email))
      yield* Console.log(
        [
          stdin ? `The password of ${account.email} is changed.` : `The new password of ${account.email}: ${password}`,
          "Its sessions have ended. API keys of its projects stay valid; POST /projects/{id}/api-key replaces one."
        ].join("\n")
      )
    }).pipe(
      Effect.catchTag("InvalidFields", (error) => Effect.fail(new AccountUnchanged({ message: error.message }))),
      Effect.provide(AccountStore.layer)
    )
).pipe(Command.withDescription("Gives an account a new password and ends its sessions"))

const shown = ({ createdAt, expiresAt, id, ipAddress, userAgent }: Sessions.Session): string =>
  [
    id,
    `since ${createdAt.toISOString()}`,
    `until ${expiresAt.toISOString()}`,
    `from ${ipAddress ?? "an unknown address"}`,
    // The client chose it: escaped, so that it cannot move the cursor.
    JSON.stringify((userAgent ?? "").slice(0, 200))
  ].join("  ")

const sessions = Command.make("sessions", { email }, ({ email }) =>
  Effect.gen(function* () {
    const { id } = yield* (yield* Accounts).find(email)
    const all = yield* Sessions.list(id)
    yield* Console.log(all.length === 0 ? "There are no sessions." : all.map(shown).join("\n"))
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Lists the sessions of an account"))

const revoke = Command.make(
  "revoke",
  { email, session: Argument.String("session").pipe(Argument.optional) },
  ({ email, session }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const account = yield* accounts.find(email)
      const revoking = Sessions.revoke(account.id, Option.getOrUndefined(session))
      const ended = yield* accounts.recordOperation(account, "account.sessions_revoked", revoking)
      if (Option.isSome(session) && ended === 0)
        return yield* new AccountUnchanged({ message: `${account.email} has no session ${session.value}` })
      yield* Console.log(`${ended} ${ended === 1 ? "session has" : "sessions have"} ended.`)
    }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Ends one session of an account, or all of them"))

const unlock = Command.make("unlock", { email }, ({ email }) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const account = yield* accounts.find(email)
    yield* accounts.recordOperation(account, "account.unlocked", (yield* SignInAttempts).forget(account.email))
    yield* Console.log(`${account.email} can sign in at once.`)
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Lifts the pause after failed attempts to sign in"))

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts of this installation: details, passwords and sessions"),
  Command.withSubcommands([...AccountPeople.subcommands, resetPassword, sessions, revoke, unlock])
)
