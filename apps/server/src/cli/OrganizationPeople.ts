/**
 * `kanmon organization list`, `show`, `disable` and `enable`: the operations of the operator page in the server's own
 * shell.
 */
import { Operator } from "@kanmon/identity/operator"
import { OrganizationId } from "@kanmon/domain/Ids"
import { InstallationOrganization } from "@kanmon/protocol/OperatorBody"
import { Console, Data, Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as OperatorStore from "./OperatorStore.ts"
import * as Table from "./Table.ts"

/** There is no such organization, or several could be meant. */
class OrganizationUnknown extends Data.TaggedError("OrganizationUnknown")<{ readonly message: string }> {}

const decodeId = Schema.decodeUnknownOption(OrganizationId)
const encode = Schema.encodeSync(InstallationOrganization)

const organization = Argument.String("organization").pipe(
  Argument.withDescription("The ID (org_…) that kanmon organization list shows")
)

const found = Effect.fnUntraced(function* (text: string) {
  const id = decodeId(text)
  if (Option.isNone(id))
    return yield* new OrganizationUnknown({
      message: `${Table.plain(text)} is not the ID of an organization (org_…); kanmon organization list finds it`
    })
  return yield* Effect.mapError(
    (yield* Operator).organization(id.value),
    () => new OrganizationUnknown({ message: `There is no organization ${id.value}` })
  )
})

const stateOf = ({ disabledAt }: InstallationOrganization): string =>
  disabledAt === null ? "-" : `disabled since ${OperatorStore.dayOf(disabledAt)}`

const searched = "Part of its name or of an owner's address, or its ID"

const list = Command.make("list", OperatorStore.listing(searched), (given) =>
  Effect.gen(function* () {
    const operator = yield* Operator
    const all = yield* OperatorStore.all((page) => operator.organizations(OperatorStore.filterOf(given), page))
    if (given.json) return yield* Console.log(OperatorStore.asJson(all.map((one) => encode(one))))
    if (all.length === 0) return yield* Console.log("There is no such organization.")
    yield* Console.log(
      Table.lines(
        ["ID", "NAME", "OWNER", "PLAN", "MEMBERS", "PROJECTS", "MONITORS", "CREATED", "STATE"],
        all.map((one) => [
          one.id,
          one.name,
          `${one.owners[0] ?? "-"}${one.owners.length > 1 ? ` +${one.owners.length - 1}` : ""}`,
          one.plan.name,
          String(one.members),
          String(one.projects),
          String(one.monitors),
          OperatorStore.dayOf(one.createdAt),
          stateOf(one)
        ])
      )
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Lists organizations, newest first"))

const show = Command.make("show", { organization, json: OperatorStore.json }, ({ json, organization }) =>
  Effect.gen(function* () {
    const one = yield* found(organization)
    if (json) return yield* Console.log(OperatorStore.asJson(encode(one)))
    yield* Console.log(
      Table.fields([
        ["name", one.name],
        ["id", one.id],
        ["state", stateOf(one)],
        ["created", OperatorStore.momentOf(one.createdAt)],
        ["plan", `${one.plan.name} (${one.plan.id})`],
        ["members", String(one.members)],
        ["projects", String(one.projects)],
        ["monitors", String(one.monitors)],
        ...one.owners.map((owner) => ["owner", owner] as const)
      ])
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Shows an organization with its owners, its plan and how much it has"))

const disable = Command.make("disable", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    const { disabledAt, id, name } = yield* found(organization)
    if (disabledAt !== null) return yield* Console.log(`${Table.plain(name)} (${id}) was disabled already.`)
    yield* Effect.orDie((yield* Operator).setOrganizationDisabled(id, true))
    yield* Console.log(
      [
        `${Table.plain(name)} (${id}) is disabled: its monitors are paused, its status pages are not shown, and its keys and members are refused.`,
        `Nothing is deleted; kanmon organization enable ${id} brings everything back.`
      ].join("\n")
    )
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Pauses its monitors and refuses its keys and members; nothing is deleted"))

const enable = Command.make("enable", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    const { disabledAt, id, name } = yield* found(organization)
    if (disabledAt === null) return yield* Console.log(`${Table.plain(name)} (${id}) was not disabled.`)
    yield* Effect.orDie((yield* Operator).setOrganizationDisabled(id, false))
    yield* Console.log(`${Table.plain(name)} (${id}) is enabled: its paused monitors run again.`)
  }).pipe(Effect.provide(OperatorStore.layer))
).pipe(Command.withDescription("Brings a disabled organization back, with its monitors as they were"))

export const subcommands = [list, show, disable, enable] as const
