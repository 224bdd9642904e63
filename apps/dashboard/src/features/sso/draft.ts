/** The form of an identity provider: all texts as they are typed. */
import type { GroupRole, Role, Settings } from "./queries.ts"

export interface Draft {
  readonly protocol: "oidc" | "saml"
  readonly enabled: boolean
  readonly enforced: boolean
  readonly roles: ReadonlyArray<GroupRole>
  readonly defaultRole: Role | null
  readonly issuer: string
  readonly clientId: string
  /** Empty: the stored one stays. */
  readonly clientSecret: string
  readonly scopes: string
  readonly groupsClaim: string
  readonly entityId: string
  readonly signInUrl: string
  /** One after another, as PEM. */
  readonly certificates: string
  readonly emailAttribute: string
  readonly nameAttribute: string
  readonly groupsAttribute: string
}

const empty: Draft = {
  protocol: "oidc",
  enabled: false,
  enforced: false,
  roles: [],
  defaultRole: "viewer",
  issuer: "",
  clientId: "",
  clientSecret: "",
  scopes: "email profile",
  groupsClaim: "groups",
  entityId: "",
  signInUrl: "",
  certificates: "",
  emailAttribute: "",
  nameAttribute: "",
  groupsAttribute: ""
}

export const draftOf = (settings: Settings | null): Draft => {
  if (settings === null) return empty
  const { defaultRole, enabled, enforced, roles } = settings
  const common = { ...empty, enabled, enforced, roles, defaultRole }
  return settings.protocol === "oidc"
    ? {
        ...common,
        protocol: "oidc",
        issuer: settings.issuer,
        clientId: settings.clientId,
        scopes: settings.scopes.join(" "),
        groupsClaim: settings.groupsClaim
      }
    : {
        ...common,
        protocol: "saml",
        entityId: settings.entityId,
        signInUrl: settings.signInUrl,
        certificates: settings.certificates.join("\n"),
        emailAttribute: settings.attributes.email ?? "",
        nameAttribute: settings.attributes.name ?? "",
        groupsAttribute: settings.attributes.groups ?? ""
      }
}

/** The certificates in a text, which may have others around it. A certificate without its frame is one, too. */
const certificatesIn = (text: string): ReadonlyArray<string> => {
  const framed = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g)
  if (framed !== null) return framed
  const bare = text.replaceAll(/\s/g, "")
  if (bare === "") return []
  const lines = bare.match(/.{1,64}/g) ?? []
  return [["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----"].join("\n")]
}

/** The text; undefined, which is not sent, for an empty one. */
const given = (value: string): string | undefined => (value.trim() === "" ? undefined : value.trim())

/** The request body. */
export const bodyOf = (draft: Draft) => {
  const { defaultRole, enabled, enforced, protocol } = draft
  const common = {
    enabled,
    enforced,
    defaultRole,
    roles: draft.roles.filter(({ group }) => group.trim() !== "")
  }
  return protocol === "oidc"
    ? {
        ...common,
        protocol,
        issuer: draft.issuer.trim(),
        clientId: draft.clientId.trim(),
        clientSecret: given(draft.clientSecret),
        scopes: draft.scopes.split(/[\s,]+/).filter((scope) => scope !== ""),
        groupsClaim: draft.groupsClaim.trim()
      }
    : {
        ...common,
        protocol,
        entityId: draft.entityId.trim(),
        signInUrl: draft.signInUrl.trim(),
        certificates: certificatesIn(draft.certificates),
        attributes: {
          email: given(draft.emailAttribute),
          name: given(draft.nameAttribute),
          groups: given(draft.groupsAttribute)
        }
      }
}
