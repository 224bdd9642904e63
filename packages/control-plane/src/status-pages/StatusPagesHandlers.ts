/** Status pages over HTTP, for the project that keeps them: each handler only translates. */
import type { StatusPageNotFound } from "@kanmon/domain/NotFound"
import { DomainProof } from "../custom-domains/index.ts"
import { Api } from "@kanmon/protocol/Api"
import { CallerProject } from "@kanmon/protocol/Middleware"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import type { PageAddressTaken } from "./StatusPageRepository.ts"
import * as PagePreviews from "./PagePreviews.ts"
import * as StatusPageRecords from "./StatusPageRecords.ts"
import { StatusPages, type UnknownPageMonitors } from "./StatusPages.ts"
import { PaymentGateway, PlanLimit, type PlanLimitReached } from "../billing/index.ts"
import type { KeyTaken } from "../platform/database/KeyTaken.ts"
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asProblem } from "../platform/http/AsProblem.ts"
import { DomainClaims } from "./DomainClaims.ts"
import { ApiSettings } from "../platform/http/ApiSettings.ts"
import * as KeyConflict from "../platform/http/KeyConflict.ts"
import * as Paging from "../platform/http/Paging.ts"
import { OrganizationQuotas } from "../organizations/index.ts"

const encode = Schema.encodeSync(StatusPageBody.StatusPageRecord)

export const layer = HttpApiBuilder.group(
  Api,
  "statusPages",
  Effect.fnUntraced(function* (handlers) {
    const statusPages = yield* StatusPages
    const claims = yield* DomainClaims
    const within = yield* OrganizationQuotas.make
    const refusing = refusals((yield* PaymentGateway).configured)
    const { onCreate, onUpdate, record } = yield* StatusPageRecords.make
    const { baseUrl } = yield* ApiSettings
    const preview = yield* PagePreviews.make

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* statusPages.list(yield* CallerProject, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer(page, (item) => encode(record(item)), baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const draft = yield* onCreate(payload)
          return yield* within({ projectId }, "statusPages", statusPages.create(projectId, draft)).pipe(
            claims.claiming(projectId)
          )
        }).pipe(Effect.map(record), refusing(payload)),
      preview: ({ payload, query }) =>
        Effect.gen(function* () {
          return yield* preview(yield* CallerProject, yield* onCreate(payload), query.scheme)
        }).pipe(asProblem({ UnknownPageMonitors: unknownMonitors(payload) })),
      get: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => statusPages.get(projectId, params.statusPageId)).pipe(
          Effect.map(record),
          refusing()
        ),
      update: ({ params, payload }) =>
        Effect.flatMap(CallerProject, (projectId) =>
          statusPages.update(projectId, params.statusPageId, onUpdate(payload)).pipe(claims.claiming(projectId))
        ).pipe(Effect.map(record), refusing(payload)),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => statusPages.remove(projectId, params.statusPageId)).pipe(
          Effect.as({ id: params.statusPageId, deleted: true as const }),
          refusing()
        )
    })
  })
)

const taken = ({ field, name }: PageAddressTaken): Problem<"conflict"> => {
  const message =
    field === "slug"
      ? "Another status page has this slug; choose another one"
      : `Another status page has this domain; take it away there, or choose another one. If it is yours and that page is not, create a TXT record ${DomainProof.recordName(name)} with this project's id as its value, and send this again`
  return new Problem({ code: "conflict", detail: `${field}: ${message}`, errors: [{ path: field, message }] })
}

const unknownMonitors =
  (body: unknown) =>
  ({ ids }: UnknownPageMonitors) =>
    invalid(StatusPageBody.unknownMonitors(body, ids))

/** `body` is what was sent: a refusal points into it. */
const refusals = (canPay: boolean) => (body?: unknown) =>
  asProblem({
    StatusPageNotFound: (_: StatusPageNotFound) => notFound("status page"),
    KeyTaken: (_: KeyTaken) => KeyConflict.problem("status page"),
    PageAddressTaken: taken,
    UnknownPageMonitors: unknownMonitors(body),
    PlanLimitReached: (reached: PlanLimitReached) => PlanLimit.problem(reached, canPay)
  })
