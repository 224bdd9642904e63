/** Status pages over HTTP, for the project that keeps them: each handler only translates. */
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import { StatusPage } from "@kanmon/domain/StatusPage"
import { Api } from "@kanmon/protocol/Api"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import {
  type PageAddressTaken,
  type StatusPageNotFound,
  StatusPages,
  type UnknownPageMonitors
} from "@kanmon/store/pages/StatusPages"
import type { PlanLimitReached } from "@kanmon/store/billing/Standing"
import type { KeyTaken } from "@kanmon/store/database/KeyTaken"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentGateway } from "../billing/PaymentGateway.ts"
import { DomainClaims, recordOf } from "../pages/DomainClaims.ts"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as KeyConflict from "./KeyConflict.ts"
import * as Paging from "./Paging.ts"
import * as PlanLimit from "./PlanLimit.ts"

const encode = Schema.encodeSync(StatusPage)

export const layer = HttpApiBuilder.group(
  Api,
  "statusPages",
  Effect.fnUntraced(function* (handlers) {
    const statusPages = yield* StatusPages
    const claims = yield* DomainClaims
    const refusing = refusals((yield* PaymentGateway).configured)
    const { baseUrl, pagesDomain, pagesHost } = yield* ApiSettings
    const hosts = [new URL(baseUrl).hostname, ...(pagesHost === undefined ? [] : [pagesHost])]
    const decode = (body: unknown, current?: StatusPage) =>
      Effect.fromResult(StatusPageBody.decode(body, { hosts, pagesDomain }, current))

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* statusPages.list(yield* Access.project, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer({ ...page, items: page.items.map((item) => encode(item)) }, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          return yield* statusPages.create(projectId, yield* decode(payload)).pipe(claims.claiming(projectId))
        }).pipe(refusing(payload)),
      get: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => statusPages.get(projectId, params.statusPageId)).pipe(refusing()),
      update: ({ params, payload }) =>
        Effect.flatMap(Access.project, (projectId) =>
          statusPages
            .update(projectId, params.statusPageId, (current) =>
              decode(StatusPageBody.merge(current, payload), current)
            )
            .pipe(claims.claiming(projectId))
        ).pipe(refusing(payload)),
      remove: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => statusPages.remove(projectId, params.statusPageId)).pipe(
          Effect.as({ id: params.statusPageId, deleted: true as const }),
          refusing()
        )
    })
  })
)

const taken = ({ field, name }: PageAddressTaken): Problem => {
  const message =
    field === "slug"
      ? "Another status page has this slug; choose another one"
      : `Another status page has this domain; take it away there, or choose another one. If it is yours and that page is not, make a TXT record ${recordOf(name)} with this project's id, and send this again`
  return new Problem({ code: "conflict", detail: `${field}: ${message}`, errors: [{ path: field, message }] })
}

type Refused =
  StatusPageNotFound | KeyTaken | PageAddressTaken | UnknownPageMonitors | PlanLimitReached | InvalidFields | Problem

/** `body` is what was sent: a refusal points into it. */
const refusals =
  (canPay: boolean) =>
  (body?: unknown) =>
  <A, R>(effect: Effect.Effect<A, Refused, R>): Effect.Effect<A, Problem, R> =>
    Effect.mapError(effect, (error) => {
      switch (error._tag) {
        case "StatusPageNotFound":
          return notFound("status page")
        case "KeyTaken":
          return KeyConflict.problem("status page")
        case "PageAddressTaken":
          return taken(error)
        case "UnknownPageMonitors":
          return invalid(StatusPageBody.unknownMonitors(body, error.ids))
        case "PlanLimitReached":
          return PlanLimit.problem(error, canPay)
        case "InvalidFields":
          return invalid(error.errors)
        case "Problem":
          return error
      }
    })
