/** Accounts and organizations of the installation over HTTP. Changes to people require an administrator's session. */
import type { User } from "@kanmon/domain/Principal"
import { Api } from "@kanmon/protocol/Api"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { InstallationAccount, InstallationOrganization } from "@kanmon/protocol/OperatorBody"
import { notFound, Problem } from "@kanmon/protocol/Problem"
import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { SignIn } from "../accounts/index.ts"
import { AuditLog } from "../audit/index.ts"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Paging from "@kanmon/platform/http/Paging"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { clientIp } from "@kanmon/platform/http/RequestInfo"
import { Transaction } from "@kanmon/platform/Transaction"
import { Operator, type PeopleNotFound } from "./Operator.ts"

/** Lists of people are long, and counting what they have takes a while. */
const pageSize = 100

const encodeAccount = Schema.encodeSync(InstallationAccount)
const encodeOrganization = Schema.encodeSync(InstallationOrganization)

const found = asProblem({ PeopleNotFound: ({ what }: PeopleNotFound) => notFound(what) })

const conflict = (detail: string) => new Problem({ code: "conflict", detail })

interface Query {
  readonly limit?: number
  readonly cursor?: string
  readonly q?: string
  readonly disabled?: "true" | "false"
}

const filterOf = ({ disabled, q }: Query) => ({
  text: q === "" ? undefined : q,
  disabled: disabled === undefined ? undefined : disabled === "true"
})

export const layer = HttpApiBuilder.group(
  Api,
  "operator",
  Effect.fnUntraced(function* (handlers) {
    const operator = yield* Operator
    const audit = yield* AuditLog
    const transaction = yield* Transaction
    const settings = yield* ApiSettings
    const { impersonation } = yield* SignIn

    /** The headers of the request, with the address of the client. */
    const asked = Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const ip = yield* Effect.provideService(clientIp, ApiSettings, settings)
      return { headers: { ...headers, "x-kanmon-client-ip": ip } }
    })

    const record = (action: "account.impersonated" | "account.impersonation_ended", { email, userId }: AccountOf) =>
      audit.record([{ action, target: { id: userId, name: email }, accountId: userId, before: {}, after: {} }])

    return handlers.handleAll({
      listAccounts: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* operator.accounts(filterOf(query), yield* Paging.read({ limit: pageSize, ...query }))
          return yield* Paging.answer(page, encodeAccount, settings.baseUrl)
        }),
      getAccount: ({ params }) => found(operator.account(params.userId)),
      disableAccount: ({ params: { userId } }) =>
        Effect.gen(function* () {
          const { email, isAdmin } = yield* operator.account(userId)
          if (isAdmin)
            return yield* conflict(`${email} is an administrator: run kanmon admin revoke on the server first`)
          return yield* operator.setAccountDisabled(userId, true)
        }).pipe(found),
      enableAccount: ({ params }) => found(operator.setAccountDisabled(params.userId, false)),
      impersonate: ({ params: { userId } }) =>
        Effect.gen(function* () {
          const administrator = yield* CallerUser
          yield* RecentProof.required
          const { disabledAt, email, isAdmin } = yield* operator.account(userId)
          if (isAdmin) return yield* conflict("Administrators cannot be impersonated")
          if (disabledAt !== null) return yield* conflict("The account is disabled; enable it first")
          if (administrator.isProgram === true)
            return yield* conflict("Only a browser's session can become that of another account")
          const request = yield* asked
          const begun = impersonation.begin(request, userId, administrator.userId)
          return HttpServerResponse.fromWeb(
            yield* transaction.run(Effect.tap(begun, () => record("account.impersonated", { userId, email })))
          )
        }).pipe(found),
      stopImpersonating: () =>
        Effect.gen(function* () {
          const caller = yield* CallerUser
          if (caller.impersonator === undefined) return yield* conflict("No impersonation is active")
          const ended = impersonation.end(yield* asked)
          return HttpServerResponse.fromWeb(
            yield* transaction.run(Effect.tap(ended, () => record("account.impersonation_ended", caller)))
          )
        }),
      listOrganizations: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* operator.organizations(filterOf(query), yield* Paging.read({ limit: pageSize, ...query }))
          return yield* Paging.answer(page, encodeOrganization, settings.baseUrl)
        }),
      disableOrganization: ({ params }) => found(operator.setOrganizationDisabled(params.organizationId, true)),
      enableOrganization: ({ params }) => found(operator.setOrganizationDisabled(params.organizationId, false))
    })
  })
)

type AccountOf = Pick<User, "userId" | "email">
