/** Single sign-on as the routes of sign-ins use it. */
import { Dialer } from "@kanmon/core/Dialer"
import * as HttpRequest from "@kanmon/core/HttpRequest"
import { SignOnNetwork } from "./SignOnNetwork.ts"
import { installationConnection, type LocalMethod, SingleSignOn } from "./SingleSignOn.ts"
import { OrganizationId, UserId } from "@kanmon/domain/Ids"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { AuditLog } from "../audit/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Transaction } from "@kanmon/platform/Transaction"
import { Admissions } from "./Admissions.ts"
import { Connections } from "./Connections.ts"
import { MemberSyncRepository } from "./MemberSyncRepository.ts"
import { PendingRepository } from "./PendingRepository.ts"
import { SecondFactorRepository } from "../users/index.ts"
import { SignOnTests } from "./SignOnTests.ts"

const decodeUserId = Schema.decodeUnknownSync(UserId)
const decodeOrganization = Schema.decodeUnknownOption(OrganizationId)

export const layer = Layer.effect(
  SingleSignOn,
  Effect.gen(function* () {
    const admissions = yield* Admissions
    const connections = yield* Connections
    const pending = yield* PendingRepository
    const memberships = yield* MemberSyncRepository
    const secondFactors = yield* SecondFactorRepository
    const tests = yield* SignOnTests
    const network = yield* SignOnNetwork
    const transaction = yield* Transaction
    const audit = yield* AuditLog

    const mayBypass = Effect.fn("SingleSignOn.mayBypass")(function* (id: string, email: string, by: LocalMethod) {
      const organizationId = yield* connections.enforcing(email)
      if (organizationId === undefined) return true
      const userId = decodeUserId(id)
      if (!(yield* memberships.isOwner(organizationId, userId))) return false
      // A passkey that is not used protects no password.
      return by === "passkey" || (yield* secondFactors.isEnabled(userId))
    })

    const bypassed = Effect.fn("SingleSignOn.bypassed")(function* (id: string, email: string, address: string) {
      const organizationId = yield* connections.enforcing(email)
      if (organizationId === undefined) return
      const userId = decodeUserId(id)
      yield* audit
        .record([{ action: "sso.bypassed", target: { id: userId, name: email }, accountId: userId, organizationId }])
        .pipe(Effect.provideService(CurrentActor, { actor: { kind: "person", id: userId, name: email }, address }))
    }, transaction.run)

    return {
      connection: (id, forTest) => {
        const own = forTest ? Option.getOrUndefined(decodeOrganization(id)) : undefined
        return own === undefined ? connections.find(id) : connections.findForTest(own)
      },
      connectionOf: connections.ofAddress,
      ofAnyOrganization: connections.ofAnyOrganization,
      isEnforced: (email) => Effect.map(connections.enforcing(email), (id) => id !== undefined),
      mayBypass,
      send: (connection, request) =>
        HttpRequest.send(request).pipe(
          Effect.provideService(
            Dialer,
            connection.id === installationConnection ? network.operator : network.organizations
          )
        ),
      begin: Effect.fnUntraced(function* (key, signIn, seconds) {
        const now = yield* Clock.currentTimeMillis
        yield* pending.insert(key, signIn, now, now + seconds * 1000)
      }),
      take: (key) => Effect.flatMap(Clock.currentTimeMillis, (now) => pending.take(key, now)),
      takeTicket: (ticket) => Effect.flatMap(Clock.currentTimeMillis, (now) => pending.takeTicket(ticket, now)),
      admit: admissions.admit,
      finishTest: tests.finish,
      bypassed,
      failed: admissions.refused
    }
  })
).pipe(
  Layer.provide([
    Admissions.layer,
    Connections.layer,
    MemberSyncRepository.layer,
    SecondFactorRepository.layer,
    SignOnTests.layer
  ])
)
