/**
 * `kanmon account list`, `show`, `disable`, `enable` and `impersonate`: the operations of the operator page in the
 * server's own shell.
 */
import { Accounts } from "@kanmon/identity/accounts"
import { Operator } from "@kanmon/identity/operator"
import { InstallationAccount, InstallationAccountDetails } from "@kanmon/protocol/OperatorBody"
import { Console, Data, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { impersonate } from "./Impersonate.ts"
import * as OperatorStore from "./OperatorStore.ts"
import * as Table from "./Table.ts"

/** The account was not changed; the message says why. */
class AccountUnchanged extends Data.TaggedError("AccountUnchanged")<{ readonly message: string }> {}

const encodeAccounts = Schema.encodeSync(Schema.Array(InstallationAccount))
const encodeDetails = Schema.encodeSync(InstallationAccountDetails)

const email = Argument.String("email")

/** The account with an address, by which people know it. */
const found = Effect.fnUntraced(function* (address: string) {
  const { email, id } = yield* (yield* Accounts).find(address)
  return yield* Effect.mapError(
    (yield* Operator).account(id),
    () => new AccountUnchanged({ message: `${email} was deleted in the meantime` })
  )
})

const stateOf = ({ disabledAt, emailVerified, isAdmin }: InstallationAccount): string =>
  [
    ...(disabledAt === null ? [] : [`disabled since ${OperatorStore.dayOf(disabledAt)}`]),
    ...(isAdmin ? ["administrator"] : []),
    ...(emailVerified ? [] : ["address not verified"])
  ].join(", ") || "-"

const list = Command.make("list", OperatorStore.listing("Part of a name or an address, or an ID"), (given) =>
  Effect.gen(function* () {
    const operator = yield* Operator
    const all = yield* OperatorStore.all((page) => operator.accounts(OperatorStore.filterOf(given), page))
    if (given.json) return yield* Console.log(OperatorStore.asJson(encodeAccounts(all)))
    if (all.length === 0) return yield* Console.log("There is no such account.")
    yield* Console.log(
      Table.lines(
        ["EMAIL", "NAME", "ORGANIZATIONS", "SESSIONS", "CREATED", "SIGNED IN", "STATE"],
        all.map((account) => [
          account.email,
          account.name,
          String(account.organizations),
          String(account.sessions),
          OperatorStore.dayOf(account.createdAt),
          OperatorStore.dayOf(account.lastSignedInAt),
          stateOf(account)
        ])
      )
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Lists accounts, newest first"))

const show = Command.make("show", { email, json: OperatorStore.json }, ({ email, json }) =>
  Effect.gen(function* () {
    const account = yield* found(email)
    if (json) return yield* Console.log(OperatorStore.asJson(encodeDetails(account)))
    yield* Console.log(
      Table.fields([
        ["address", account.email],
        ["name", account.name],
        ["id", account.id],
        ["state", stateOf(account)],
        ["created", OperatorStore.momentOf(account.createdAt)],
        ["signed in", OperatorStore.momentOf(account.lastSignedInAt)],
        ["sessions", String(account.sessions)],
        ...account.memberships.map(
          ({ disabledAt, name, organizationId, role }) =>
            [role, `${organizationId}  ${name}${disabledAt === null ? "" : " (disabled)"}`] as const
        )
      ])
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Shows an account with its organizations and its roles there"))

const disable = Command.make("disable", { email }, ({ email }) =>
  Effect.gen(function* () {
    const account = yield* found(email)
    if (account.isAdmin)
      return yield* new AccountUnchanged({
        message: `${account.email} is an administrator: run kanmon admin revoke ${account.email} first, and take it out of KANMON_ADMIN_EMAILS`
      })
    if (account.disabledAt !== null) return yield* Console.log(`${account.email} was disabled already.`)
    yield* Effect.orDie((yield* Operator).setAccountDisabled(account.id, true))
    yield* Console.log(
      [
        `${account.email} is disabled: its sessions have ended, and it cannot sign in.`,
        "Its organizations and their API keys go on; kanmon organization disable stops one."
      ].join("\n")
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Ends the sessions of an account and refuses to sign it in; nothing is deleted"))

const enable = Command.make("enable", { email }, ({ email }) =>
  Effect.gen(function* () {
    const account = yield* found(email)
    if (account.disabledAt === null) return yield* Console.log(`${account.email} was not disabled.`)
    yield* Effect.orDie((yield* Operator).setAccountDisabled(account.id, false))
    yield* Console.log(`${account.email} can sign in again.`)
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Lets an account sign in again"))

export const subcommands = [list, show, disable, enable, impersonate] as const
