/** Examples of accounts and sessions for the OpenAPI document. */
import type { Account, AccountSession, Session } from "../AccountBody.ts"

export const password = "correct horse battery"

export const user: typeof Account.Encoded = {
  id: "usr_01m7xqy4h8n2c6v9tz5kb3w7rd",
  name: "Ada",
  email: "ada@example.org",
  emailVerified: false,
  image: null,
  locale: null,
  createdAt: "2026-11-20T08:30:00.000Z",
  updatedAt: "2026-11-20T08:30:00.000Z"
}

export const sessionToken = "Rw6LxZ3NvB8cTyQ5HsKp9MdJf2GaUe7i"

export const session: typeof Session.Encoded = {
  id: "K4tq8ZxN2vB7cRyL5HsWp9MdJf3GaTe6",
  userId: user.id,
  token: sessionToken,
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

export const verification = {
  email: user.email,
  token: "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLm9yZyJ9.c2lnbmF0dXJl",
  password
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
