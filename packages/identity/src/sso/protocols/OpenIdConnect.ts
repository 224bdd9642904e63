/**
 * OpenID Connect, with openid-client: the code flow with PKCE, state and nonce. Every check that the standard names is
 * made. The signature of the ID token is always verified, so that TLS to the provider is not the only proof.
 */
import type { OidcConnection } from "../SingleSignOn.ts"
import type { Identity } from "@kanmon/domain/SingleSignOn"
import { Redacted } from "effect"
import * as client from "openid-client"
import { ProviderUnreachable } from "./ProviderFetch.ts"
import { SignOnFailure } from "./SignOnFailure.ts"

/** The state that is kept until the provider answers. */
interface OidcMemory {
  readonly verifier: string
  readonly nonce: string
}

/** The claims about a person, and the identity derived from them. */
export interface Claimed {
  readonly claims: Readonly<Record<string, unknown>>
  readonly identity: Identity
}

/** How long the provider's description is kept. Its keys are fetched again when a new one signs. */
const keptMillis = 600_000
/** Clocks may differ by this much. */
const skewSeconds = 60
const maxGroups = 1000

export interface OidcClient {
  /** Where to send the browser. */
  readonly authorize: (
    connection: OidcConnection,
    options: { readonly redirectUri: string; readonly state: string; readonly hint: string | undefined }
  ) => Promise<{ readonly url: string; readonly memory: OidcMemory }>
  /** The content of the provider's answer. Throws `SignOnFailure`. */
  readonly claimed: (
    connection: OidcConnection,
    callback: URL,
    options: { readonly state: string; readonly memory: OidcMemory }
  ) => Promise<Claimed>
}

export const make = (fetchOf: (connection: OidcConnection) => client.CustomFetch, now: () => number): OidcClient => {
  const known = new Map<
    string,
    { readonly version: string; readonly at: number; readonly config: client.Configuration }
  >()

  /** Questions without an answer so far. */
  const asking = new Map<string, Promise<client.Configuration>>()

  /** Concurrent callers share one discovery request, so that strangers cannot flood the provider. */
  const discover = (connection: OidcConnection): Promise<client.Configuration> => {
    const kept = known.get(connection.id)
    if (kept !== undefined && kept.version === connection.version && now() - kept.at < keptMillis)
      return Promise.resolve(kept.config)
    const name = `${connection.id} ${connection.version}`
    const open = asking.get(name)
    if (open !== undefined) return open
    const asked = ask(connection).finally(() => asking.delete(name))
    asking.set(name, asked)
    return asked
  }

  const ask = async (connection: OidcConnection): Promise<client.Configuration> => {
    const secret = connection.clientSecret === undefined ? undefined : Redacted.value(connection.clientSecret)
    const config = await client.discovery(
      new URL(connection.issuer),
      connection.clientId,
      { ...(secret === undefined ? {} : { client_secret: secret }), [client.clockTolerance]: skewSeconds },
      secret === undefined ? client.None() : undefined,
      {
        [client.customFetch]: fetchOf(connection),
        // Whether plain HTTP is acceptable was decided when the issuer was set.
        execute: [
          client.enableNonRepudiationChecks,
          ...(connection.issuer.startsWith("http:") ? [client.allowInsecureRequests] : [])
        ]
      }
    )
    if (known.size > 1000) known.clear()
    known.set(connection.id, { version: connection.version, at: now(), config })
    return config
  }

  return {
    authorize: async (connection, { hint, redirectUri, state }) => {
      const config = await inWords(() => discover(connection))
      const memory: OidcMemory = { verifier: client.randomPKCECodeVerifier(), nonce: client.randomNonce() }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: [...new Set(["openid", ...connection.scopes])].join(" "),
        state,
        nonce: memory.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(memory.verifier),
        code_challenge_method: "S256",
        ...(hint === undefined ? {} : { login_hint: hint })
      })
      return { url: url.href, memory }
    },
    claimed: async (connection, callback, { memory, state }) => {
      const config = await inWords(() => discover(connection))
      const tokens = await inWords(() =>
        client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: memory.nonce,
          pkceCodeVerifier: memory.verifier,
          idTokenExpected: true
        })
      )
      const token = tokens.claims()!
      const info =
        config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await inWords(() => client.fetchUserInfo(config, tokens.access_token, token.sub))
      const claims = { ...info, ...token }
      return { claims, identity: identityIn(claims, connection.groupsClaim) }
    }
  }
}

/** The identity that claims describe. Claims with a nonstandard form are ignored. */
const identityIn = (claims: Readonly<Record<string, unknown>>, groupsClaim: string): Identity => {
  const text = (name: string): string | undefined => {
    const value = claims[name]
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
  }
  const verified = claims["email_verified"]
  return {
    subject: String(claims["sub"]),
    // Not trimmed: an address with blanks is invalid.
    email: typeof claims["email"] === "string" && claims["email"] !== "" ? claims["email"] : undefined,
    // Some providers write it as text.
    emailVerified: verified === undefined ? undefined : verified === true || verified === "true",
    name: text("name") ?? text("preferred_username"),
    groups: groupsIn(claims[groupsClaim])
  }
}

/** The names of groups: a list, or one name. Keycloak writes them as paths: the leading slash is left out. */
export const groupsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value])
    .filter((group) => typeof group === "string")
    .slice(0, maxGroups)
    .map((group) => (group.startsWith("/") ? group.slice(1) : group))

/** Turns what the library throws into one sentence. */
const inWords = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw new SignOnFailure({ detail: detailOf(error) })
  }
}

const detailOf = (error: unknown): string => {
  if (error instanceof ProviderUnreachable) return `The identity provider cannot be reached: ${error.message}.`
  if (error instanceof client.AuthorizationResponseError)
    return `The identity provider refused the sign-in (${error.error.slice(0, 80).replaceAll(/[^\w.-]/g, "")}).`
  if (error instanceof client.ResponseBodyError)
    return `The identity provider refused the code (${error.error.slice(0, 80).replaceAll(/[^\w.-]/g, "")}).`
  if (error instanceof Error && error.cause instanceof ProviderUnreachable)
    return `The identity provider cannot be reached: ${error.cause.message}.`
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : ""
  return `The answer of the identity provider is not valid${code}: ${error instanceof Error ? error.message : "it cannot be read"}.`
}
