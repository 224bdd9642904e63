/** Signing in through identity providers: opened by browsers. */
import { boundedText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Email } from "./AccountBody.ts"
import { AddressLimits, Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Counted, Declared } from "./Serving.ts"
import { operation } from "./internal/Operation.ts"
import * as Examples from "./internal/SignOnExamples.ts"

const page = Schema.String.annotate({ description: "The page" }).pipe(
  HttpApiSchema.asText({ contentType: "text/html" })
)
const html = "<!doctype html><title>You are not signed in</title>"
const redirected = HttpApiSchema.Empty(303)
const connection = boundedText(100).annotate({ description: "`installation`, or the id of the organization" })
const organization = boundedText(100).annotate({ description: "The id of the organization" })
const callbackURL = boundedText(2048).annotate({
  description:
    "Where the browser goes when it is signed in: a path of this installation, such as `/monitors`. Default: `/`"
})

const body = ["malformed_request", "forbidden", "payload_too_large", "unsupported_media_type"] as const

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.post("start", "/sign-in/sso", {
      payload: Schema.Struct({
        email: Schema.optionalKey(
          Email.annotate({
            description: "Leads to the identity provider of the organization that has proven its domain"
          })
        ),
        organization: Schema.optionalKey(organization),
        callbackURL: Schema.optionalKey(callbackURL)
      }),
      success: Schema.Struct({ url: Schema.String.annotate({ format: "uri" }), redirect: Schema.Literal(true) }),
      error: refuses(...body, "request_timeout", "not_found", "validation_failed", "unavailable")
    })
      .annotate(Counted, { as: "passwords" })
      .annotateMerge(
        operation({
          id: "startSingleSignOn",
          summary: "Start single sign-on",
          description:
            "Returns the address of the identity provider, to which the browser has to go, and sets a cookie that ties the sign-in to this browser for ten minutes. Without `email` and `organization` it is the identity provider of the installation.",
          request: { email: Examples.email, callbackURL: "/monitors" },
          response: { url: Examples.authorizationUrl, redirect: true },
          headers: { "Set-Cookie": "Ties the sign-in to the browser" }
        })
      ),
    HttpApiEndpoint.get("open", "/sso/start", {
      query: {
        organization: Schema.optionalKey(organization),
        ticket: Schema.optionalKey(boundedText(1024).annotate({ description: "Token of a test sign-in" })),
        callbackURL: Schema.optionalKey(callbackURL),
        confirmed: Schema.optionalKey(
          boundedText(1024).annotate({
            description: "Token of the page's own link, which continues to the identity provider"
          })
        )
      },
      success: [page, redirected],
      error: refuses(...body, "not_found", "unavailable")
    }).annotateMerge(
      operation({
        id: "openSingleSignOn",
        summary: "Open single sign-on",
        description:
          "Asks for confirmation before the redirect to the identity provider, for links and for portals of identity providers. The link of the page works in this browser alone, so a link on another site signs no one in. The ticket of a test redirects immediately. Errors are shown as pages.",
        response: html,
        errorPages: true,
        headers: { "Set-Cookie": "Ties the sign-in to the browser" }
      })
    ),
    HttpApiEndpoint.get("callback", "/sso/callback/:connection", {
      params: { connection },
      query: {
        code: Schema.optionalKey(boundedText(8192)),
        state: Schema.optionalKey(boundedText(8192)),
        iss: Schema.optionalKey(boundedText(2048)),
        error: Schema.optionalKey(boundedText(1024))
      },
      success: [page, redirected],
      error: refuses(...body)
    }).annotateMerge(
      operation({
        id: "finishOidcSignIn",
        summary: "Receive an OpenID Connect sign-in",
        description:
          "The redirect URI of a provider of OpenID Connect. Starts a session and leads to `callbackURL`. An answer that this browser did not ask for, or a second one, is refused. Errors are shown as pages.",
        response: html,
        errorPages: true,
        headers: { "Set-Cookie": "The session" }
      })
    ),
    HttpApiEndpoint.post("consume", "/sso/saml/:organizationId/acs", {
      params: { organizationId: organization },
      payload: Schema.Struct({ SAMLResponse: boundedText(1_048_576), RelayState: boundedText(1024) }).pipe(
        HttpApiSchema.asFormUrlEncoded()
      ),
      success: redirected,
      error: refuses(...body, "request_timeout", "validation_failed")
    })
      .annotate(Declared, { takesForeignForms: true })
      .annotateMerge(
        operation({
          id: "consumeSamlAssertion",
          summary: "Receive a SAML response",
          description:
            "The assertion consumer service: the browser posts the response of the identity provider, and is redirected to a page that signs it in. Responses without a request are refused. Errors are shown as pages.",
          request: { SAMLResponse: "PHNhbWxwOlJlc3BvbnNlPg==", RelayState: Examples.state },
          errorPages: true
        })
      ),
    HttpApiEndpoint.get("samlMetadata", "/sso/saml/:organizationId/metadata", {
      params: { organizationId: organization },
      success: Schema.String.annotate({ description: "The metadata" }).pipe(
        HttpApiSchema.asText({ contentType: "application/samlmetadata+xml" })
      ),
      error: refuses("forbidden")
    }).annotateMerge(
      operation({
        id: "getSamlMetadata",
        summary: "Get the SAML metadata",
        description: "Describes this installation as a service provider, for identity providers that import it.",
        response: `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${Examples.entityId}"/>`
      })
    ),
    HttpApiEndpoint.get("finish", "/sso/finish", {
      query: { code: Schema.optionalKey(boundedText(8192)) },
      success: [page, redirected],
      error: refuses(...body)
    }).annotateMerge(
      operation({
        id: "finishSamlSignIn",
        summary: "Open a SAML sign-in",
        description:
          "Starts the session of a verified assertion, in the browser that began the sign-in, and leads to `callbackURL`. Errors are shown as pages.",
        response: html,
        errorPages: true,
        headers: { "Set-Cookie": "The session" }
      })
    ),
    HttpApiEndpoint.get("showConnect", "/sign-in/sso/connect", {
      query: { code: Schema.optionalKey(boundedText(8192)), email: Schema.optionalKey(boundedText(254)) },
      success: page,
      error: refuses("malformed_request", "forbidden")
    }).annotateMerge(
      operation({
        id: "showConnectPage",
        summary: "Show the connect page",
        description:
          "Asks for the password of an account with an unverified address, before an identity provider is connected with it.",
        response: html,
        errorPages: true
      })
    ),
    HttpApiEndpoint.post("connect", "/sign-in/sso/connect", {
      payload: Schema.Struct({ email: boundedText(254), code: boundedText(2048), password: boundedText(2048) }).pipe(
        HttpApiSchema.asFormUrlEncoded()
      ),
      success: redirected,
      error: refuses(...body, "request_timeout", "unauthorized", "validation_failed")
    })
      .annotate(Counted, { as: "passwords", delays: true })
      .annotateMerge(
        operation({
          id: "connectAccount",
          summary: "Confirm a connected account",
          description:
            "Connects the account with the identity provider after its password was given, and signs in. Failed attempts delay the next ones, as at sign-in. Errors are shown as pages.",
          request: { email: Examples.email, code: Examples.state, password: "correct horse battery" },
          errorPages: true,
          headers: { "Set-Cookie": "The session" }
        })
      )
  )
  .middleware(AddressLimits)
  .middleware(Problems)
  .prefix("/auth")
  .annotateMerge(
    OpenApi.annotations({ title: "Single sign-on", description: "Signing in through identity providers." })
  ) {}
