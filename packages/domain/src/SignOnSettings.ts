/** How an organization signs its members in through an identity provider of its own. */
import { Schema } from "effect"
import { boundedText, filledText } from "./BoundedText.ts"
import { Role } from "./Role.ts"
import { GroupRole } from "./SingleSignOn.ts"

const httpUrl = boundedText(2048)
  .check(
    Schema.makeFilter(
      (address: string) =>
        (/^https?:\/\/[^\s/\\@]+(\/[^\s\\]*)?$/.test(address) && URL.canParse(address)) ||
        "Expected a URL such as https://login.example.com/path"
    )
  )
  .annotate({ format: "uri" })

const common = {
  enabled: Schema.Boolean.annotate({ description: "Whether members can sign in with it. A test needs no sign-in" }),
  enforced: Schema.Boolean.annotate({
    description:
      "Whether accounts with an address of a proven domain must sign in with it. Owners with a second factor keep a way in with their password, which is recorded"
  }),
  roles: Schema.Array(GroupRole)
    .check(Schema.isMaxLength(100))
    .annotate({ description: "The roles that groups give; the highest counts, at every sign-in" }),
  defaultRole: Schema.NullOr(Role).annotate({
    description: "The role of people without a role from their groups; null refuses them"
  })
}

export const OidcSignOn = Schema.Struct({
  protocol: Schema.Literal("oidc").annotate({ description: "OpenID Connect" }),
  ...common,
  issuer: httpUrl.annotate({ description: "The issuer, below which `/.well-known/openid-configuration` is" }),
  clientId: filledText(512),
  scopes: Schema.Array(filledText(256))
    .check(Schema.isMaxLength(20))
    .annotate({ description: "Scopes beside `openid`; usually `email`, `profile` and, at some providers, `groups`" }),
  groupsClaim: filledText(256).annotate({ description: "The claim that lists the groups of a person" })
})

export const SamlSignOn = Schema.Struct({
  protocol: Schema.Literal("saml").annotate({ description: "SAML 2.0" }),
  ...common,
  entityId: filledText(1024).annotate({ description: "The identity provider's entity ID (issuer)" }),
  signInUrl: httpUrl.annotate({ description: "The identity provider's address for the binding HTTP-Redirect" }),
  certificates: Schema.NonEmptyArray(filledText(16_384))
    .check(Schema.isMaxLength(5))
    .annotate({ description: "The identity provider's signing certificates in PEM; two while it changes them" }),
  attributes: Schema.Struct({
    email: Schema.optionalKey(filledText(256)),
    name: Schema.optionalKey(filledText(256)),
    groups: Schema.optionalKey(filledText(256))
  }).annotate({ description: "Names of attributes that differ from those that providers usually send" })
})

/** The settings without the client's secret, which is write-only. */
export const OrganizationSignOn = Schema.Union([OidcSignOn, SamlSignOn]).annotate({ identifier: "OrganizationSignOn" })
export type OidcSignOn = typeof OidcSignOn.Type
export type SamlSignOn = typeof SamlSignOn.Type
export type OrganizationSignOn = typeof OrganizationSignOn.Type
