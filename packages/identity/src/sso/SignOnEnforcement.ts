/**
 * Lets the operator lift required single sign-on, for an organization that is locked out because its identity provider
 * fails.
 */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { Clock, Context, Effect, Layer } from "effect"
import { AuditLog } from "../audit/index.ts"
import { OrganizationLock, Organizations } from "../organizations/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { ConnectionRepository } from "./ConnectionRepository.ts"

type Lifted =
  | "lifted"
  /** Single sign-on was not required. */
  | "unchanged"
  /** There is no such organization, it is disabled, or it has no single sign-on. */
  | "absent"

export class SignOnEnforcement extends Context.Service<SignOnEnforcement>()("@kanmon/identity/sso/SignOnEnforcement", {
  make: Effect.gen(function* () {
    const repository = yield* ConnectionRepository
    const organizations = yield* Organizations
    const lock = yield* OrganizationLock
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    /** Allows passwords again. Sign-in through the identity provider still works. */
    const lift: (id: OrganizationId) => Effect.Effect<Lifted> = Effect.fn("SignOnEnforcement.lift")(function* (id) {
      if ((yield* organizations.nameOf(id)) === undefined) return "absent"
      yield* lock.hold(id)
      const stored = yield* repository.find(id)
      if (stored === undefined) return "absent"
      if (!stored.settings.enforced) return "unchanged"
      const settings = { ...stored.settings, enforced: false }
      yield* repository.save(id, settings, undefined, stored.version, yield* Clock.currentTimeMillis)
      yield* audit.record([
        {
          action: "sso.updated",
          target: { id, name: stored.organizationName },
          organizationId: id,
          before: stored.settings,
          after: settings
        }
      ])
      return "lifted"
    }, transaction.run)

    return { lift }
  })
}) {
  static readonly layer = Layer.effect(SignOnEnforcement, SignOnEnforcement.make).pipe(
    Layer.provide(OrganizationLock.layer)
  )
}
