/** `kanmon admin grant <email>`: makes an account an admin. */
import { Accounts } from "@kanmon/store/accounts/Accounts"
import * as Migrations from "@kanmon/store/database/Migrations"
import { Console, Data, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { database } from "./Migrate.ts"

class NoSuchAccount extends Data.TaggedError("NoSuchAccount")<{ readonly message: string }> {}

const grant = Command.make("grant", { email: Argument.String("email") }, ({ email }) =>
  Effect.gen(function* () {
    yield* Migrations.run
    const accounts = yield* Accounts
    yield* accounts.grantAdmin(email)
    yield* Console.log(`${email} is an admin now.`)
  }).pipe(
    Effect.catchTag("AccountNotFound", () =>
      Effect.fail(
        new NoSuchAccount({ message: `There is no account with the address ${email}; sign up with it first` })
      )
    ),
    Effect.provide(Accounts.layer),
    Effect.provide(database)
  )
).pipe(Command.withDescription("Makes an account an admin"))

export const admin = Command.make("admin").pipe(
  Command.withDescription("Accounts that may do more"),
  Command.withSubcommands([grant])
)
