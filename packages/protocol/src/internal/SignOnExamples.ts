/** Examples of single sign-on for the OpenAPI document. */

export const email = "ada@example.com"

export const state = "n3Vw0yJq7mT1pXc5LkZ8sRd2HbGfYe6uAoQi9tWxCvM"

export const entityId = "https://kanmon.example/api/v1/auth/sso/saml/org_01m7xr0ab1s6d8g3jp9yf5c2te/metadata"

export const authorizationUrl =
  "https://login.example.com/authorize?client_id=kanmon&response_type=code&scope=openid+email+profile&code_challenge_method=S256"

export const organizationId = "org_01m7xr0ab1s6d8g3jp9yf5c2te"

export const connection = {
  protocol: "oidc" as const,
  enabled: true,
  enforced: false,
  roles: [{ group: "sre", role: "editor" as const }],
  defaultRole: "viewer" as const,
  issuer: "https://login.example.com",
  clientId: "kanmon",
  scopes: ["email", "profile", "groups"],
  groupsClaim: "groups"
}

export const domain = {
  domain: "example.com",
  verifiedAt: null,
  record: {
    type: "TXT" as const,
    name: "_kanmon-sso.example.com",
    value: "kanmon-sso=n3Vw0yJq7mT1pXc5LkZ8sRd2HbGfYe6u"
  }
}

const base = "https://kanmon.example/api/v1/auth/sso"

export const signOn = {
  included: true,
  connection,
  hasClientSecret: true,
  domains: [domain],
  warnings: [],
  redirectUri: `${base}/callback/${organizationId}`,
  entityId,
  consumerUrl: `${base}/saml/${organizationId}/acs`,
  startUrl: `${base}/start?organization=${organizationId}`,
  scimUrl: "https://kanmon.example/api/v1/scim/v2"
}

export const test = {
  id: "sst_01m7xs8mrbmd3ef5jxd1fat24r",
  url: `${base}/start?ticket=${state}`,
  outcome: null,
  createdAt: "2026-11-20T08:30:00.000Z",
  expiresAt: "2026-11-20T09:30:00.000Z"
}
