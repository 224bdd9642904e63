/** Examples of accounts and sessions for the OpenAPI document. */
import type { Account, AccountSession, Passkey, Session } from "../AccountBody.ts"

export const password = "correct horse battery"

export const user: typeof Account.Encoded = {
  id: "usr_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: "Ada",
  email: "ada@example.org",
  emailVerified: false,
  image: null,
  locale: null,
  timezone: null,
  twoFactorEnabled: false,
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

export const session: typeof Session.Encoded = {
  id: "K4tq8ZxN2vB7cRyL5HsWp9MdJf3GaTe6",
  userId: user.id,
  expiresAt: "2026-11-27T08:30:00.000Z",
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

export const accountSession: typeof AccountSession.Encoded = {
  id: session.id,
  name: null,
  createdAt: session.createdAt,
  expiresAt: session.expiresAt,
  ipAddress: "203.0.113.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
  current: true
}

/** The token of a link in a mail. */
export const linkToken = "Qf3kLzN8vB2cTyR5HsWp9MdJ6xGaUe7iK4tqZ1oEwYs"

export const verification = { email: user.email, token: linkToken, password }

export const passkey: typeof Passkey.Encoded = {
  id: "psk_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: "Firefox on Linux",
  deviceType: "multiDevice",
  backedUp: true,
  aaguid: "d548826e-79b4-db40-a3d8-11116f7e8349",
  createdAt: "2026-11-20T08:30:00.000Z"
}

export const totpUri =
  "otpauth://totp/Kanmon:ada%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Kanmon&digits=6&period=30"

export const backupCodes = ["K4tq8-ZxN2v", "B7cRy-L5HsW"]

export const registrationOptions = {
  rp: { name: "Kanmon", id: "kanmon.example" },
  user: { id: "YWRh", name: user.email, displayName: user.email },
  challenge: "c2FsdGVkIGNoYWxsZW5nZQ",
  pubKeyCredParams: [{ alg: -7, type: "public-key" }],
  timeout: 60000,
  attestation: "none",
  excludeCredentials: [],
  authenticatorSelection: { residentKey: "required", userVerification: "required", requireResidentKey: true },
  extensions: { credProps: true }
}

export const signInOptions = {
  rpId: "kanmon.example",
  challenge: "c2FsdGVkIGNoYWxsZW5nZQ",
  timeout: 60000,
  userVerification: "required"
}

export const registration = {
  id: "dGhlIGNyZWRlbnRpYWw",
  rawId: "dGhlIGNyZWRlbnRpYWw",
  type: "public-key",
  clientExtensionResults: {},
  response: { clientDataJSON: "eyJ0eXBlIjoi4oCmIn0", attestationObject: "o2NmbXRkbm9uZQ", transports: ["internal"] }
}

export const assertion = {
  id: "dGhlIGNyZWRlbnRpYWw",
  rawId: "dGhlIGNyZWRlbnRpYWw",
  type: "public-key",
  clientExtensionResults: {},
  response: {
    clientDataJSON: "eyJ0eXBlIjoi4oCmIn0",
    authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4",
    signature: "MEUCIQDd",
    userHandle: "YWRh"
  }
}

export const page = "<!doctype html><title>Verify your address?</title>"

export const deviceCodeRequest = { client_id: "kanmon-cli", device_name: "kanmon on ada-laptop" }

export const deviceCode = {
  device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
  user_code: "WDJB-MJHT",
  verification_uri: "https://kanmon.example/device",
  verification_uri_complete: "https://kanmon.example/device?user_code=WDJB-MJHT",
  expires_in: 600,
  interval: 5
}

export const deviceTokenRequest = {
  grant_type: "urn:ietf:params:oauth:grant-type:device_code",
  client_id: "kanmon-cli",
  device_code: deviceCode.device_code
}

export const deviceToken = {
  access_token: "kmu_4f8ZxN2vB7cRyL5HsWp9MdJf3GaTe6KtQ1uEoYiXn0b",
  token_type: "Bearer",
  expires_in: 7_776_000
}

export const deviceRequest = {
  userCode: deviceCode.user_code,
  clientId: "kanmon-cli",
  name: "kanmon on ada-laptop",
  ipAddress: "203.0.113.7",
  userAgent: "kanmon-cli/0.1.0",
  createdAt: "2026-11-20T08:30:00.000Z",
  expiresAt: "2026-11-20T08:40:00.000Z"
}
