/** The routes of an organization's single sign-on: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { OrganizationId } from "@kanmon/domain/Ids"
import { Api } from "@kanmon/protocol/Api"
import { basePath } from "@kanmon/protocol/BasePath"
import { CallerOrganization } from "@kanmon/protocol/Middleware"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { scimPath } from "@kanmon/protocol/ScimApi"
import { SignOnDomainRequest, SignOnRequest } from "@kanmon/protocol/SsoApi"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import { warningsOf } from "./CertificateWarnings.ts"
import type { StoredDomain } from "./ConnectionRepository.ts"
import { type DomainNotFound, type DomainNotProven, type DomainTaken, recordOf, SignOns } from "./SignOns.ts"
import { notIncluded } from "./SignOnProblems.ts"
import { type SignOnTest, SignOnTests } from "./SignOnTests.ts"

const settingsIn = Payload.read(decodeStrict(SignOnRequest))
const domainIn = Payload.read(decodeStrict(SignOnDomainRequest))

const refusing = asProblem({
  SignOnNotIncluded: notIncluded("no single sign-on"),
  DomainNotFound: (_: DomainNotFound) => notFound("domain"),
  DomainTaken: ({ domain }: DomainTaken) =>
    new Problem({ code: "conflict", detail: `Another organization proves ${domain} with a TXT record of its own` }),
  DomainNotProven: ({ detail }: DomainNotProven) => invalid([{ path: "domain", message: detail }])
})

const shownDomain = (stored: StoredDomain) => ({
  domain: stored.domain,
  verifiedAt: stored.verifiedAt,
  record: { type: "TXT" as const, ...recordOf(stored) }
})

export const layer = HttpApiBuilder.group(
  Api,
  "sso",
  Effect.fnUntraced(function* (handlers) {
    const signOns = yield* SignOns
    const tests = yield* SignOnTests
    const { baseUrl } = yield* ApiSettings
    const base = `${baseUrl}${basePath}/auth/sso`

    const shown = Effect.fnUntraced(function* (id: OrganizationId) {
      const { connection, domains, isIncluded } = yield* signOns.get(id)
      return {
        included: isIncluded,
        connection: connection?.settings ?? null,
        hasClientSecret: connection?.clientSecret !== undefined,
        domains: domains.map(shownDomain),
        warnings: connection === undefined ? [] : warningsOf(connection.settings, yield* Clock.currentTimeMillis),
        redirectUri: `${base}/callback/${id}`,
        entityId: `${base}/saml/${id}/metadata`,
        consumerUrl: `${base}/saml/${id}/acs`,
        startUrl: `${base}/start?organization=${id}`,
        scimUrl: `${baseUrl}${basePath}${scimPath}`
      }
    })
    const shownTest = (test: SignOnTest, url: string | null) => ({ ...test, url })

    return handlers.handleAll({
      get: () => Effect.flatMap(CallerOrganization, shown),
      save: ({ payload }) =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          yield* RecentProof.required
          const request = yield* settingsIn(payload)
          if (request.protocol === "saml") yield* signOns.save(id, request, null)
          else {
            const { clientSecret, ...settings } = request
            yield* signOns.save(id, settings, clientSecret)
          }
          return yield* shown(id)
        }).pipe(refusing),
      remove: () =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          yield* RecentProof.required
          if (!(yield* signOns.remove(id))) return yield* notFound("single sign-on")
          return { id, deleted: true as const }
        }),
      addDomain: ({ payload }) =>
        Effect.gen(function* () {
          const { domain } = yield* domainIn(payload)
          return shownDomain(yield* signOns.addDomain(yield* CallerOrganization, domain))
        }).pipe(refusing),
      verifyDomain: ({ params }) =>
        Effect.gen(function* () {
          return shownDomain(yield* signOns.verifyDomain(yield* CallerOrganization, params.domain))
        }).pipe(refusing),
      removeDomain: ({ params }) =>
        Effect.gen(function* () {
          yield* signOns.removeDomain(yield* CallerOrganization, params.domain)
          return { id: params.domain, deleted: true as const }
        }).pipe(refusing),
      test: () =>
        Effect.gen(function* () {
          const id = yield* CallerOrganization
          const { connection } = yield* signOns.get(id)
          if (connection === undefined) return yield* notFound("single sign-on")
          const { test, ticket } = yield* tests.start(id, connection.organizationName)
          return shownTest(test, `${base}/start?ticket=${ticket}`)
        }),
      getTest: ({ params }) =>
        Effect.gen(function* () {
          const isId = /^\w{1,100}$/.test(params.testId)
          const test = isId ? yield* tests.find(yield* CallerOrganization, params.testId) : undefined
          return test === undefined ? yield* notFound("test") : shownTest(test, null)
        })
    })
  })
)
