/** Examples of single sign-on for the OpenAPI document. */

export const email = "ada@example.com"

export const state = "n3Vw0yJq7mT1pXc5LkZ8sRd2HbGfYe6uAoQi9tWxCvM"

export const entityId = "https://kanmon.example/api/v1/auth/sso/saml/org_01m7xr0ab1s6d8g3jp9yf5c2te/metadata"

export const authorizationUrl =
  "https://login.example.com/authorize?client_id=kanmon&response_type=code&scope=openid+email+profile&code_challenge_method=S256"
