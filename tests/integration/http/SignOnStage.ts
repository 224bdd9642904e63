/** The API beside a real provider of OpenID Connect, and a browser that goes between them. */
import type { InstallationOidc } from "@kanmon/identity/sso"
import { basePath } from "@kanmon/protocol/BasePath"
import { Context, Effect, Layer, Redacted } from "effect"
import type { HttpServer } from "effect/http"
import * as HostileOidc from "../../support/HostileOidc.ts"
import * as OidcProvider from "../../support/OidcProvider.ts"
import * as SignOnBrowser from "../../support/SignOnBrowser.ts"
import { layer as server, type Options, port, publicUrl } from "./Server.ts"

const api = `${publicUrl}${basePath}`

/** Where the provider of an installation or an organization sends people back to. */
export const redirectUri = (connection: string, installation = publicUrl): string =>
  `${installation}${basePath}/auth/sso/callback/${connection}`

export class Provider extends Context.Service<Provider, OidcProvider.OidcProvider>()("@kanmon/tests/Provider") {}
export class Liar extends Context.Service<Liar, HostileOidc.HostileOidc>()("@kanmon/tests/Liar") {}

const oidc = (
  { clientId, clientSecret, issuer }: Pick<OidcProvider.OidcProvider, "issuer" | "clientId" | "clientSecret">,
  changes: Partial<InstallationOidc>
): InstallationOidc => ({
  issuer,
  clientId,
  clientSecret: Redacted.make(clientSecret),
  scopes: ["email", "profile", "groups"],
  groupsClaim: "groups",
  label: "Sign in at work",
  trustsEmail: false,
  roles: [],
  ...changes
})

/** An installation whose settings name a real provider. */
export const withProvider = (changes: Partial<InstallationOidc> = {}, options: Options = {}, local = true) =>
  Layer.unwrap(
    Effect.map(Provider, (provider) => server({ ...options, signIn: { local, oidc: oidc(provider, changes) } }))
  ).pipe(Layer.provideMerge(Layer.effect(Provider, OidcProvider.make([redirectUri("installation", options.baseUrl)]))))

/** An installation whose settings name a provider that lies. */
export const withLiar = (changes: Partial<InstallationOidc> = {}, options: Options = {}) =>
  Layer.unwrap(
    Effect.map(Liar, (provider) => server({ ...options, signIn: { local: true, oidc: oidc(provider, changes) } }))
  ).pipe(Layer.provideMerge(Layer.effect(Liar, HostileOidc.make)))

/** A browser that reaches the API at its public address. */
export const browser: Effect.Effect<SignOnBrowser.SignOnBrowser, never, HttpServer.HttpServer> = Effect.map(
  port,
  (at) => SignOnBrowser.make({ [publicUrl]: `http://127.0.0.1:${at}` })
)

/** Begins a sign-in: the address of the identity provider. */
export const begin = Effect.fnUntraced(function* (
  browser: SignOnBrowser.SignOnBrowser,
  body: unknown = { callbackURL: "/monitors" }
) {
  const answer = yield* Effect.promise(() => browser.postJson(`${api}/auth/sign-in/sso`, body))
  return { status: answer.status, body: JSON.parse(answer.text) }
})

/** Goes to the provider and back until the dashboard would open, or a page says why not. */
export const signIn = Effect.fnUntraced(function* (
  browser: SignOnBrowser.SignOnBrowser,
  body: unknown = { callbackURL: "/monitors" }
) {
  const { body: begun } = yield* begin(browser, body)
  return yield* Effect.promise(() => browser.open(begun.url, { stopAt: `${publicUrl}/monitors` }))
})

/** Asks the API with the cookies of the browser. */
export const ask = (browser: SignOnBrowser.SignOnBrowser, route: string) =>
  Effect.promise(async () => {
    const { status, text } = await browser.open(`${api}${route}`)
    return { status, body: text === "" ? undefined : JSON.parse(text) }
  })
