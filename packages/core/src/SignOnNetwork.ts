/**
 * Connections to identity providers. Organizations name theirs, so the network policy of all that users name applies; the operator's
 * own may be in the operator's network.
 */
import { Context, Effect, Layer } from "effect"
import type { Dialer } from "./Dialer.ts"
import * as NodeDialer from "./NodeDialer.ts"
import { Resolver } from "./Resolver.ts"

export class SignOnNetwork extends Context.Service<
  SignOnNetwork,
  {
    readonly organizations: Dialer["Service"]
    readonly operator: Dialer["Service"]
    /** Whether organizations may use plain HTTP: where they may also name private addresses. */
    readonly allowsPlain: boolean
  }
>()("@kanmon/core/SignOnNetwork") {
  static readonly layer = (settings: NodeDialer.DialerSettings) =>
    Layer.effect(
      SignOnNetwork,
      Effect.map(Resolver, (resolver) =>
        SignOnNetwork.of({
          organizations: NodeDialer.make(settings, resolver),
          operator: NodeDialer.make({ ...settings, allowPrivate: true }, resolver),
          allowsPlain: settings.allowPrivate
        })
      )
    )
}
