/** Ends what lets an identity provider act in an organization: its connection, its domains, and its tokens for provisioning. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { OrganizationLock, Organizations } from "../organizations/index.ts"
import { SignOnAccountRepository } from "../users/index.ts"
import { ConnectionRepository } from "./ConnectionRepository.ts"
import { ScimTokenRepository } from "./ScimTokenRepository.ts"

export class EarlierSignOn extends Context.Service<EarlierSignOn>()("@kanmon/identity/sso/EarlierSignOn", {
  make: Effect.gen(function* () {
    const connections = yield* ConnectionRepository
    const accounts = yield* SignOnAccountRepository
    const tokens = yield* ScimTokenRepository
    const organizations = yield* Organizations
    const lock = yield* OrganizationLock
    const audit = yield* AuditLog

    /** Must run in a transaction. */
    const end = Effect.fn("EarlierSignOn.end")(function* (id: OrganizationId) {
      yield* lock.hold(id)
      const about = { target: { id, name: (yield* organizations.nameOf(id)) ?? id }, organizationId: id }
      const connection = yield* connections.find(id)
      yield* connections.remove(id)
      yield* accounts.disconnect(id)
      if (connection !== undefined)
        yield* audit.record([{ action: "sso.deleted", ...about, before: connection.settings }])
      for (const { domain } of yield* connections.domains(id)) {
        yield* connections.removeDomain(id, domain)
        yield* audit.record([{ action: "sso.domain_deleted", ...about, before: { domain } }])
      }
      for (const token of yield* tokens.list(id)) {
        yield* tokens.remove(id, token.id)
        const target = { id: token.id, name: token.name }
        yield* audit.record([
          { action: "scim_token.deleted", target, organizationId: id, before: { name: token.name } }
        ])
      }
    })

    return { end }
  })
}) {
  static readonly layer = Layer.effect(EarlierSignOn, EarlierSignOn.make).pipe(
    Layer.provide([
      ConnectionRepository.layer,
      ScimTokenRepository.layer,
      SignOnAccountRepository.layer,
      OrganizationLock.layer
    ])
  )
}
