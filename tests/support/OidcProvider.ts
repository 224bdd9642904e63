/**
 * A real provider of OpenID Connect (oidc-provider) on loopback. Whoever arrives is signed in as the person that the test chose,
 * and agrees to everything; or sees the provider's own pages, and signs in there by name.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"
import Provider from "oidc-provider"

export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: ReadonlyArray<string>
}

export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Signs this person in from now on. */
  readonly arrive: (person: Person) => void
  /** Knows this person from now on, who signs in on the provider's pages with the `sub` as the name. */
  readonly know: (person: Person) => void
  /** Registers another address to which the client may be sent back. */
  readonly register: (redirectUri: string) => void
  /** Paths that were requested. */
  readonly requests: ReadonlyArray<string>
}

const clientId = "kanmon"
const clientSecret = "a secret of the client that is long"

/** `redirectUris`: the addresses to which the client may be sent back. `pages`: people sign in on the provider's own pages. */
export const make = (
  redirectUris: ReadonlyArray<string>,
  { pages = false }: { readonly pages?: boolean } = {}
): Effect.Effect<OidcProvider, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        let person: Person = { sub: "nobody" }
        const people = new Map<string, Person>()
        const requests: Array<string> = []
        const server = createServer()
        await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
        const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        const provider = new Provider(issuer, {
          clients: [
            {
              client_id: clientId,
              client_secret: clientSecret,
              redirect_uris: redirectUris.length === 0 ? ["http://127.0.0.1/nowhere"] : [...redirectUris],
              grant_types: ["authorization_code"],
              response_types: ["code"]
            }
          ],
          claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
          scopes: ["openid", "email", "profile", "groups"],
          conformIdTokenClaims: false,
          cookies: { keys: ["one key for cookies of the provider"] },
          features: { devInteractions: { enabled: pages } },
          pkce: { required: () => true },
          findAccount: (_context: unknown, sub: string) =>
            people.has(sub) ? { accountId: sub, claims: async () => ({ ...people.get(sub), sub }) } : undefined,
          ...(pages
            ? {}
            : {
                interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` }
              })
        } as never)
        const registered = new Set(redirectUris)
        const client = provider.Client.prototype as { redirectUriAllowed: (address: string) => boolean }
        client.redirectUriAllowed = (address) => registered.has(address)
        provider.on("server_error", (_context: unknown, error: Error) => requests.push(`error: ${error.message}`))
        const answer = provider.callback()
        server.on("request", (request, response) => {
          requests.push(request.url ?? "")
          if (pages || !(request.url ?? "").startsWith("/interaction/")) return void answer(request, response)
          void (async () => {
            const details = await provider.interactionDetails(request, response)
            if (details.prompt.name === "login") {
              people.set(person.sub, person)
              return provider.interactionFinished(request, response, {
                login: { accountId: person.sub, remember: false }
              })
            }
            const grant = new provider.Grant({ accountId: details.session!.accountId, clientId })
            grant.addOIDCScope("openid email profile groups")
            const grantId = await grant.save()
            return provider.interactionFinished(
              request,
              response,
              { consent: { grantId } },
              { mergeWithLastSubmission: true }
            )
          })().catch((error: unknown) => {
            response.writeHead(500)
            response.end(String(error))
          })
        })
        return {
          provider: {
            issuer,
            clientId,
            clientSecret,
            requests,
            know: (known: Person) => void people.set(known.sub, known),
            register: (redirectUri: string) => void registered.add(redirectUri),
            arrive: (next: Person) => {
              person = next
            }
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
