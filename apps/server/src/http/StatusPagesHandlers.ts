/** Status pages over HTTP, for the project that keeps them: each handler only translates. */
import { AuthSettings } from "@kanmon/core/AuthSettings"
import type { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { StatusPage } from "@kanmon/domain/StatusPage"
import { refusal } from "@kanmon/engine/certificates/DomainNames"
import * as DomainProof from "@kanmon/engine/certificates/DomainProof"
import { Api } from "@kanmon/protocol/Api"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import { StatusPageRecord } from "@kanmon/protocol/StatusPagesApi"
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
import { DomainClaims } from "../pages/DomainClaims.ts"
import * as OwnDomains from "../pages/OwnDomains.ts"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import * as KeyConflict from "./KeyConflict.ts"
import * as Paging from "./Paging.ts"
import * as Quotas from "./Quotas.ts"
import * as PlanLimit from "./PlanLimit.ts"

const encode = Schema.encodeSync(StatusPageRecord)

export const layer = HttpApiBuilder.group(
  Api,
  "statusPages",
  Effect.fnUntraced(function* (handlers) {
    const statusPages = yield* StatusPages
    const claims = yield* DomainClaims
    const within = yield* Quotas.make
    const refusing = refusals((yield* PaymentGateway).configured)
    const settings = yield* ApiSettings
    const { baseUrl } = settings
    const { host, ...names } = OwnDomains.names(settings)
    const policy = { ...names, trusted: (yield* AuthSettings).signUp === "closed" }
    const refuse = (name: string): string | undefined =>
      name.length > DomainProof.longestDomain
        ? `Expected at most ${DomainProof.longestDomain} characters: the domain's TXT record has a longer name`
        : refusal(name, names)
    const decode = (body: unknown, current?: StatusPage) =>
      Effect.fromResult(StatusPageBody.decode(body, refuse, current))
    const record = (page: StatusPage): StatusPageRecord => ({
      ...page,
      customDomainRecords:
        page.customDomain === null || host === undefined
          ? []
          : DomainProof.recordsOf(page.customDomain, page.projectId, host, policy)
    })

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* statusPages.list(yield* Access.project, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer({ ...page, items: page.items.map((item) => encode(record(item))) }, baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const draft = yield* decode(payload)
          return yield* within({ projectId }, "statusPages", statusPages.create(projectId, draft)).pipe(
            claims.claiming(projectId)
          )
        }).pipe(Effect.map(record), refusing(payload)),
      get: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => statusPages.get(projectId, params.statusPageId)).pipe(
          Effect.map(record),
          refusing()
        ),
      update: ({ params, payload }) =>
        Effect.flatMap(Access.project, (projectId) =>
          statusPages
            .update(projectId, params.statusPageId, (current) =>
              decode(StatusPageBody.merge(current, payload), current)
            )
            .pipe(claims.claiming(projectId))
        ).pipe(Effect.map(record), refusing(payload)),
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
      : `Another status page has this domain; take it away there, or choose another one. If it is yours and that page is not, create a TXT record ${DomainProof.recordName(name)} with this project's id as its value, and send this again`
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
