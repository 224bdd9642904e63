/** Writes status pages from the bodies of requests, with what is refused as problems. */
import type { ProjectId, StatusPageId } from "@kanmon/domain/Ids"
import type { StatusPageNotFound } from "@kanmon/domain/NotFound"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import * as StatusPageBody from "@kanmon/protocol/StatusPageBody"
import { Effect } from "effect"
import { PaymentGateway, PlanLimit, type PlanLimitReached } from "@kanmon/identity/billing"
import { DomainProof } from "../custom-domains/index.ts"
import { OrganizationQuotas } from "@kanmon/identity/organizations"
import type { KeyTaken } from "@kanmon/platform/database/KeyTaken"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as KeyConflict from "@kanmon/platform/http/KeyConflict"
import { DomainClaims } from "./DomainClaims.ts"
import * as StatusPageRecords from "./StatusPageRecords.ts"
import type { PageAddressTaken } from "./StatusPageRepository.ts"
import { StatusPages, type UnknownPageMonitors } from "./StatusPages.ts"

export const make = Effect.gen(function* () {
  const statusPages = yield* StatusPages
  const claims = yield* DomainClaims
  const within = yield* OrganizationQuotas.make
  const refusing = refusals((yield* PaymentGateway).configured)
  const { onCreate, onUpdate } = yield* StatusPageRecords.make

  return {
    create: (projectId: ProjectId, body: unknown) =>
      Effect.gen(function* () {
        const draft = yield* onCreate(body)
        return yield* within({ projectId }, "statusPages", statusPages.create(projectId, draft)).pipe(
          claims.claiming(projectId)
        )
      }).pipe(refusing(body)),
    update: (projectId: ProjectId, id: StatusPageId, body: object) =>
      statusPages.update(projectId, id, onUpdate(body)).pipe(claims.claiming(projectId), refusing(body)),
    remove: (projectId: ProjectId, id: StatusPageId) => statusPages.remove(projectId, id).pipe(refusing())
  }
})

const taken = ({ field, name }: PageAddressTaken): Problem<"conflict"> => {
  const message =
    field === "slug"
      ? "Another status page has this slug; choose another one"
      : `Another status page has this domain; take it away there, or choose another one. If it is yours and that page is not, create a TXT record ${DomainProof.recordName(name)} with this project's id as its value, and send this again`
  return new Problem({ code: "conflict", detail: `${field}: ${message}`, errors: [{ path: field, message }] })
}

export const unknownMonitors =
  (body: unknown) =>
  ({ ids }: UnknownPageMonitors) =>
    invalid(StatusPageBody.unknownMonitors(body, ids))

/** `body` is what was sent: a refusal points into it. */
export const refusals = (canPay: boolean) => (body?: unknown) =>
  asProblem({
    StatusPageNotFound: (_: StatusPageNotFound) => notFound("status page"),
    KeyTaken: (_: KeyTaken) => KeyConflict.problem("status page"),
    PageAddressTaken: taken,
    UnknownPageMonitors: unknownMonitors(body),
    PlanLimitReached: (reached: PlanLimitReached) => PlanLimit.problem(reached, canPay)
  })
