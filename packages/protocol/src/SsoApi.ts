/** The single sign-on of an organization: its identity provider, the domains that it proves, and test sign-ins. */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import { OrganizationId } from "@kanmon/domain/Ids"
import { OidcSignOn, OrganizationSignOn, SamlSignOn } from "@kanmon/domain/SignOnSettings"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Body from "./Body.ts"
import { Deleted } from "./Lists.ts"
import { Authorization, JsonBody, Limits, OrganizationOnly, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"
import * as Examples from "./internal/SignOnExamples.ts"

const clientSecret = Schema.optionalKey(
  Schema.NullOr(filledText(4096)).annotate({
    description: "The client's secret at the provider. Write-only: left out, the stored one is kept; null removes it"
  })
)

/** The request body of an owner. */
export const SignOnRequest = Schema.Union([Schema.Struct({ ...OidcSignOn.fields, clientSecret }), SamlSignOn])
export const SignOnDomainRequest = Schema.Struct({
  domain: filledText(253).annotate({
    description: "The domain of e-mail addresses, such as example.com"
  })
})

/** A domain, and the TXT record that proves it. */
const SignOnDomain = Schema.Struct({
  domain: Schema.String,
  verifiedAt: Schema.NullOr(Timestamp).annotate({ description: "When the record was found; null until then" }),
  record: Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, value: Schema.String })
}).annotate({ identifier: "SignOnDomain" })

const url = Schema.String.annotate({ format: "uri" })

/** The whole set-up. */
const SignOn = Schema.Struct({
  included: Schema.Boolean.annotate({ description: "Whether the plan includes single sign-on" }),
  connection: Schema.NullOr(OrganizationSignOn),
  hasClientSecret: Schema.Boolean,
  domains: Schema.Array(SignOnDomain),
  warnings: Schema.Array(Schema.String).annotate({
    description:
      "Present and upcoming failures: certificates that have expired, are not valid yet, or end within 30 days"
  }),
  redirectUri: url.annotate({ description: "For OpenID Connect: where the provider sends people back to" }),
  entityId: url.annotate({ description: "For SAML: the entity ID (audience); its metadata is at this address" }),
  consumerUrl: url.annotate({ description: "For SAML: the assertion consumer service (ACS)" }),
  startUrl: url.annotate({ description: "Begins a sign-in: for portals of identity providers" }),
  scimUrl: url.annotate({ description: "For provisioning: the base URL of SCIM 2.0" })
}).annotate({ identifier: "SignOn" })

/** A test sign-in and what it showed. */
const SignOnTest = Schema.Struct({
  id: Schema.String,
  url: Schema.NullOr(url).annotate({ description: "Open it in a browser, once; null when the test is read" }),
  outcome: Schema.NullOr(
    Schema.Struct({
      succeeded: Schema.Boolean,
      problem: Schema.NullOr(Schema.String),
      conclusion: Schema.String.annotate({ description: "The expected result of a sign-in" }),
      claims: Schema.Record(Schema.String, Schema.Json).annotate({ description: "Everything that was received" })
    })
  ).annotate({ description: "Null until the identity provider has answered" }),
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotate({ identifier: "SignOnTest" })

const params = { organizationId: OrganizationId }
const ofDomain = { ...params, domain: boundedText(253) }

export class SsoApi extends HttpApiGroup.make("sso")
  .add(
    HttpApiEndpoint.get("get", "/sso", { params, success: SignOn }).annotateMerge(
      operation({
        id: "getSingleSignOn",
        access: "sso.read",
        summary: "Get single sign-on",
        description:
          "Returns the identity provider of the organization, its domains, and what the provider has to know.",
        response: Examples.signOn
      })
    ),
    HttpApiEndpoint.put("save", "/sso", {
      params,
      payload: Body.sent<typeof SignOnRequest.Encoded>("SignOnRequest"),
      success: SignOn,
      error: refuses("plan_limit_reached", "proof_required", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "setSingleSignOn",
          access: "sso.write",
          summary: "Update single sign-on",
          description:
            "Replaces the identity provider of the organization. Another provider connects accounts again by their addresses. 402 if the plan includes no single sign-on.",
          request: { ...Examples.connection, clientSecret: "a secret of the client" },
          response: Examples.signOn
        })
      ),
    HttpApiEndpoint.delete("remove", "/sso", {
      params,
      success: Deleted,
      error: refuses("not_found", "proof_required")
    }).annotateMerge(
      operation({
        id: "deleteSingleSignOn",
        access: "sso.write",
        summary: "Delete single sign-on",
        description:
          "Removes the identity provider. Members stay, and sign in with passwords again; domains stay proven.",
        response: { id: Examples.organizationId, deleted: true }
      })
    ),
    HttpApiEndpoint.post("addDomain", "/sso/domains", {
      params,
      payload: Body.sent<typeof SignOnDomainRequest.Encoded>("SignOnDomainRequest"),
      success: SignOnDomain.pipe(HttpApiSchema.status(201)),
      error: refuses("plan_limit_reached", "validation_failed")
    })
      .middleware(JsonBody)
      .annotateMerge(
        operation({
          id: "addSignOnDomain",
          access: "sso.write",
          summary: "Add a domain",
          description: "Claims a domain of e-mail addresses, and returns the TXT record that proves it.",
          request: { domain: "example.com" },
          response: Examples.domain
        })
      ),
    HttpApiEndpoint.post("verifyDomain", "/sso/domains/:domain/verify", {
      params: ofDomain,
      success: SignOnDomain,
      error: refuses("not_found", "conflict", "validation_failed")
    }).annotateMerge(
      operation({
        id: "verifySignOnDomain",
        access: "sso.write",
        summary: "Verify a domain",
        description:
          "Looks the TXT record up. 422 while it is missing, 409 while another organization proves the domain with a record of its own.",
        response: { ...Examples.domain, verifiedAt: "2026-11-20T08:30:00.000Z" }
      })
    ),
    HttpApiEndpoint.delete("removeDomain", "/sso/domains/:domain", {
      params: ofDomain,
      success: Deleted,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "deleteSignOnDomain",
        access: "sso.write",
        summary: "Delete a domain",
        description: "Gives the domain up. The identity provider can no longer sign in addresses of the domain.",
        response: { id: "example.com", deleted: true }
      })
    ),
    HttpApiEndpoint.post("test", "/sso/test", {
      params,
      success: SignOnTest.pipe(HttpApiSchema.status(201)),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "testSingleSignOn",
        access: "sso.write",
        summary: "Test single sign-on",
        description:
          "Starts a test sign-in. Its address leads to the identity provider and back, and shows every claim. The test starts no session and changes nothing.",
        response: Examples.test
      })
    ),
    HttpApiEndpoint.get("getTest", "/sso/tests/:testId", {
      params: { ...params, testId: boundedText(100) },
      success: SignOnTest,
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getSignOnTest",
        access: "sso.read",
        summary: "Get a test sign-in",
        description: "Returns what a test sign-in showed. It is kept for an hour.",
        response: { ...Examples.test, url: null }
      })
    )
  )
  .middleware(OrganizationOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/organizations/:organizationId")
  .annotateMerge(OpenApi.annotations({ title: "Single sign-on" })) {}
