/** The protocols of identity providers. Their libraries are large and loaded by the first sign-in: many installations have no provider. */
import { Effect } from "effect"
import * as ProviderFetch from "./protocols/ProviderFetch.ts"
import type { SingleSignOnService } from "./SingleSignOn.ts"

export type { ServiceProvider } from "./protocols/Saml.ts"
export { SignOnFailure } from "./protocols/SignOnFailure.ts"

/** A client of OpenID Connect. Its requests go through the host. `now` is the time in milliseconds. */
export const openIdConnect = (
  signOn: Pick<SingleSignOnService, "send">,
  run: <A>(effect: Effect.Effect<A>) => Promise<A>,
  now: () => number
) =>
  Effect.map(
    Effect.promise(() => import("./protocols/OpenIdConnect.ts")),
    (OpenIdConnect) => OpenIdConnect.make((connection) => ProviderFetch.make(connection, signOn, run), now)
  )

/** The service provider's side of SAML 2.0. */
export const saml = Effect.promise(() => import("./protocols/Saml.ts"))
