/** `kanmon account impersonate`: a link with which an administrator acts as an account, with an entry in the audit log. */
import { Accounts } from "@kanmon/identity/accounts"
import { Operator } from "@kanmon/identity/operator"
import { Console, Data, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AccountStore from "./AccountStore.ts"
import * as OperatorStore from "./OperatorStore.ts"

/** No link was made; the message says why. */
class LinkRefused extends Data.TaggedError("LinkRefused")<{ readonly message: string }> {}

export const impersonate = Command.make(
  "impersonate",
  {
    email: Argument.String("email"),
    as: Flag.String("as").pipe(
      Flag.withDescription("The address of the administrator who acts: the audit log names both")
    )
  },
  ({ as, email }) =>
    Effect.gen(function* () {
      const operator = yield* Operator
      const accounts = yield* Accounts
      const found = (address: string) =>
        Effect.flatMap(accounts.find(address), (account) =>
          Effect.all({
            account: Effect.succeed(account),
            standing: Effect.mapError(
              operator.account(account.id),
              () => new LinkRefused({ message: `${account.email} was deleted in the meantime` })
            )
          })
        )
      const target = yield* found(email)
      const administrator = yield* found(as)
      const refuse = (message: string) => Effect.fail(new LinkRefused({ message }))
      if (!administrator.standing.isAdmin)
        return yield* refuse(`${administrator.account.email} is not an administrator: run kanmon admin grant first`)
      if (administrator.standing.disabledAt !== null) return yield* refuse(`${administrator.account.email} is disabled`)
      if (target.standing.isAdmin)
        return yield* refuse(`${target.account.email} is an administrator, and administrators cannot be impersonated`)
      if (target.standing.disabledAt !== null)
        return yield* refuse(
          `${target.account.email} is disabled: run kanmon account enable ${target.account.email} first`
        )
      const { link } = (yield* AccountStore.signIn).impersonation
      const address = yield* accounts.recordOperation(
        target.account,
        "account.impersonation_linked",
        link(target.account, administrator.account.id),
        { administrator: administrator.account.email }
      )
      yield* Console.log(
        [
          `Open within a minute, once: ${address}`,
          `The browser is then signed in as ${target.account.email} for at most an hour; its actions are recorded as done by ${administrator.account.email}.`
        ].join("\n")
      )
    }).pipe(Effect.provide(OperatorStore.layer))
).pipe(
  Command.withDescription("Prints a link with which an administrator acts as an account: valid once, for a minute"),
  Command.withExamples([
    {
      command: "kanmon account impersonate ada@example.org --as boss@example.org",
      description: "Acts as ada@example.org"
    }
  ])
)
