/**
 * A provider of OpenID Connect that lies as a test tells it: every claim, the key that signs, and the description of itself can be
 * changed.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

export interface Lies {
  /** Changes the claims of the ID token. */
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Signs with a key that the provider does not publish. */
  readonly foreignKey?: boolean
  /** An unsigned token. */
  readonly unsigned?: boolean
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Answers every request for tokens with a redirect to this address. */
  readonly redirectTokens?: string
}

export interface HostileOidc {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly lie: (lies: Lies) => void
  /** What the client sent for the last code. */
  readonly lastTokenRequest: () => URLSearchParams | undefined
}

const clientId = "kanmon"

export const make: Effect.Effect<HostileOidc, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")])
      const jwk = { ...(await exportJWK(own.publicKey)), kid: "own", use: "sig", alg: "RS256" }
      const server = createServer()
      await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      let lies: Lies = {}
      let last: URLSearchParams | undefined
      const codes = new Map<string, string | null>()
      let count = 0

      const token = async (nonce: string | null): Promise<string> => {
        const now = Math.floor(Date.now() / 1000)
        const honest = {
          iss: issuer,
          sub: "mallory",
          aud: clientId,
          iat: now,
          exp: now + 300,
          ...(nonce === null ? {} : { nonce }),
          email: "mallory@example.org",
          email_verified: true
        }
        const claims = lies.claims?.(honest) ?? honest
        if (lies.unsigned === true) {
          const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
          return `${part({ alg: "none" })}.${part(claims)}.`
        }
        return new SignJWT(claims)
          .setProtectedHeader({ alg: "RS256", kid: "own" })
          .sign(lies.foreignKey === true ? foreign.privateKey : own.privateKey)
      }

      server.on("request", (request, response) => {
        const url = new URL(request.url ?? "/", issuer)
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const json = (body: unknown) => {
            response.writeHead(200, { "content-type": "application/json" })
            response.end(JSON.stringify(body))
          }
          const answers: Record<string, () => unknown> = {
            "/.well-known/openid-configuration": () => {
              const metadata = {
                issuer,
                authorization_endpoint: `${issuer}/authorize`,
                token_endpoint: `${issuer}/token`,
                jwks_uri: `${issuer}/jwks`,
                response_types_supported: ["code"],
                subject_types_supported: ["public"],
                id_token_signing_alg_values_supported: ["RS256"]
              }
              json(lies.metadata?.(metadata) ?? metadata)
            },
            "/jwks": () => json({ keys: [jwk] }),
            "/authorize": () => {
              const code = `code-${++count}`
              codes.set(code, url.searchParams.get("nonce"))
              const back = new URL(url.searchParams.get("redirect_uri")!)
              back.searchParams.set("code", code)
              back.searchParams.set("state", url.searchParams.get("state") ?? "")
              response.writeHead(303, { location: back.href })
              response.end()
            },
            "/token": async () => {
              last = new URLSearchParams(Buffer.concat(chunks).toString())
              if (lies.redirectTokens !== undefined) {
                response.writeHead(307, { location: lies.redirectTokens })
                return void response.end()
              }
              const nonce = codes.get(last.get("code") ?? "") ?? null
              json({ access_token: "access", token_type: "Bearer", id_token: await token(nonce) })
            }
          }
          const answer = answers[url.pathname]
          if (answer === undefined) {
            response.writeHead(404)
            response.end()
          } else void answer()
        })
      })
      return {
        provider: {
          issuer,
          clientId,
          clientSecret: "whatever it is",
          lie: (next: Lies) => {
            lies = next
          },
          lastTokenRequest: () => last
        },
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  ),
  ({ provider }) => provider
)
