/** Operations of administrators on accounts: list, disable and enable. They delete nothing. */
import { AuthSettings } from "../accounts/index.ts"
import { isAdministrator } from "@kanmon/domain/Administrator"
import type { OrganizationId, UserId } from "@kanmon/domain/Ids"
import type { InstallationAccount } from "@kanmon/protocol/OperatorBody"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { Entitlement, Subscriptions } from "../billing/index.ts"
import { OrganizationContents, Organizations } from "../organizations/index.ts"
import { AccountRepository, SessionRepository } from "../users/index.ts"
import * as Cursor from "@kanmon/platform/database/Cursor"
import type { PageOptions } from "@kanmon/platform/database/Page"
import { Transaction } from "@kanmon/platform/Transaction"
import { type AccountRow, OperatorRepository, type OrganizationRow, type PeopleFilter } from "./OperatorRepository.ts"

/** There is no such account or organization. */
export class PeopleNotFound extends Data.TaggedError("PeopleNotFound")<{ readonly what: "account" | "organization" }> {}

/** How many plans are looked up at once. */
const concurrency = 8

export class Operator extends Context.Service<Operator>()("@kanmon/identity/operator/Operator", {
  make: Effect.gen(function* () {
    const repository = yield* OperatorRepository
    const people = yield* AccountRepository
    const sessions = yield* SessionRepository
    const organizations = yield* Organizations
    const contents = yield* OrganizationContents
    const subscriptions = yield* Subscriptions
    const entitlement = yield* Entitlement
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const { adminEmails } = yield* AuthSettings

    const shown = (row: AccountRow): InstallationAccount => ({ ...row, isAdmin: isAdministrator(row, adminEmails) })

    const account = Effect.fnUntraced(function* (id: UserId) {
      const row = yield* repository.account(id, yield* Clock.currentTimeMillis)
      return row === undefined ? yield* new PeopleNotFound({ what: "account" }) : shown(row)
    })

    const withPlan = Effect.fnUntraced(function* (row: OrganizationRow, monitors: ReadonlyMap<OrganizationId, number>) {
      const { id, name } = yield* entitlement.planOf(row.id, yield* Clock.currentTimeMillis)
      return { ...row, monitors: monitors.get(row.id) ?? 0, plan: { id, name } }
    })

    const organization = Effect.fnUntraced(function* (id: OrganizationId) {
      const row = yield* repository.organization(id)
      return row === undefined
        ? yield* new PeopleNotFound({ what: "organization" })
        : yield* withPlan(row, yield* contents.monitorsOf([id]))
    })

    /** Ends its sessions and refuses to sign it in, or lets it sign in again. */
    const setAccountDisabled = Effect.fn("Operator.setAccountDisabled")(function* (id: UserId, isDisabled: boolean) {
      const { email } = yield* account(id)
      if (yield* people.setDisabled(id, isDisabled, yield* Clock.currentTimeMillis)) {
        const action = isDisabled ? "account.disabled" : "account.enabled"
        yield* audit.record([{ action, target: { id, name: email }, accountId: id, before: {}, after: {} }])
      }
      if (isDisabled) yield* sessions.endAll(id)
      return yield* account(id)
    }, transaction.run)

    /** Pauses its monitors and refuses its keys and members, or brings everything back. */
    const setOrganizationDisabled = Effect.fn("Operator.setOrganizationDisabled")(function* (
      id: OrganizationId,
      isDisabled: boolean
    ) {
      yield* organization(id)
      if (yield* organizations.setDisabled(id, isDisabled)) yield* subscriptions.refit(id)
      return yield* organization(id)
    }, transaction.run)

    return {
      accounts: Effect.fn("Operator.accounts")(function* (filter: PeopleFilter, { cursor, limit }: PageOptions) {
        const page = { before: Cursor.decode(cursor), limit: limit + 1 }
        return Cursor.page((yield* repository.accounts(filter, page, yield* Clock.currentTimeMillis)).map(shown), limit)
      }),
      account: Effect.fn("Operator.account")(function* (id: UserId) {
        return { ...(yield* account(id)), memberships: yield* repository.memberships(id) }
      }),
      setAccountDisabled,
      organizations: Effect.fn("Operator.organizations")(function* (
        filter: PeopleFilter,
        { cursor, limit }: PageOptions
      ) {
        const page = { before: Cursor.decode(cursor), limit: limit + 1 }
        const { items, next } = Cursor.page(yield* repository.organizations(filter, page), limit)
        const monitors = yield* contents.monitorsOf(items.map(({ id }) => id))
        return { items: yield* Effect.forEach(items, (row) => withPlan(row, monitors), { concurrency }), next }
      }),
      organization: Effect.fn("Operator.organization")(organization),
      setOrganizationDisabled
    }
  })
}) {
  static readonly layer = Layer.effect(Operator, Operator.make).pipe(
    Layer.provide([AccountRepository.layer, Entitlement.layer, OperatorRepository.layer, SessionRepository.layer])
  )
}
