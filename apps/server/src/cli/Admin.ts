/** `kanmon admin`: grants and revokes administrator rights for the whole installation. */
import { toIso } from "@kanmon/domain/Timestamp"
import { Accounts } from "@kanmon/identity/accounts"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as AccountStore from "./AccountStore.ts"

const email = Argument.String("email")

const grant = Command.make("grant", { email }, ({ email }) =>
  Effect.gen(function* () {
    const account = yield* (yield* Accounts).grantAdmin(email)
    yield* Console.log(
      [
        `${account.email} ("${account.name}", account created ${toIso(account.createdAt)}) is an admin now.`,
        ...(account.emailVerified
          ? []
          : [
              "The address is not verified. If you did not create this account yourself, somebody else did:",
              `run kanmon admin revoke ${account.email} and kanmon account reset-password ${account.email}.`
            ])
      ].join("\n")
    )
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Makes an account an admin"))

const revoke = Command.make("revoke", { email }, ({ email }) =>
  Effect.gen(function* () {
    const account = yield* (yield* Accounts).revokeAdmin(email)
    yield* Console.log(`${account.email} is no longer an admin, unless KANMON_ADMIN_EMAILS names it.`)
  }).pipe(Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Revokes an account's administrator rights"))

export const admin = Command.make("admin").pipe(
  Command.withDescription("Administrators of this installation"),
  Command.withSubcommands([grant, revoke])
)
