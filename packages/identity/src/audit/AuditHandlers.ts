/** The routes of the audit log: each handler only translates. */
import { AuditEntry, auditRetentionDays } from "@kanmon/domain/AuditEntry"
import { UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { Api } from "@kanmon/protocol/Api"
import type { AuditQuery } from "@kanmon/protocol/AuditApi"
import { CallerOrganization, CallerProject, CallerUser } from "@kanmon/protocol/Middleware"
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Csv from "@kanmon/platform/Csv"
import * as Paging from "@kanmon/platform/http/Paging"
import * as Window from "@kanmon/platform/http/Window"
import * as AuditCsv from "./AuditCsv.ts"
import { AuditLog } from "./AuditLog.ts"
import type { AuditScope } from "./AuditRepository.ts"

const encode = Schema.encodeSync(AuditEntry)

export const layer = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* AuditLog
    const { baseUrl } = yield* ApiSettings

    const list = Effect.fnUntraced(function* (scope: AuditScope, query: AuditQuery) {
      const window = yield* Window.read(query, auditRetentionDays * dayMillis)
      const { action, actor, target } = query
      const page = yield* audit.list(scope, { ...window, action, actor, target }, yield* Paging.read(query))
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      return Csv.isAsked(headers)
        ? yield* Paging.answerAs(page, AuditCsv.form, baseUrl)
        : yield* Paging.answer(page, encode, baseUrl)
    })

    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CallerProject, (projectId) => list({ projectId }, query)),
      ofAccount: ({ query }) =>
        Effect.flatMap(CallerUser, ({ confinedTo, impersonator, userId }) =>
          // An administrator who acts as the account has at most a role that reads no audit log of an organization.
          list(
            { userId: UserId.make(userId), withOwned: impersonator === undefined && confinedTo === undefined },
            query
          )
        ),
      ofOrganization: ({ query }) =>
        Effect.flatMap(CallerOrganization, (organizationId) => list({ organizationId }, query)),
      ofInstallation: ({ query }) => list("installation", query)
    })
  })
)
