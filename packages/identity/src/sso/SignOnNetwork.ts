/**
 * Connections to identity providers. Organizations name theirs, so the network policy of all that users name applies; the operator's
 * own may be in the operator's network.
 */
import { Context, Effect, Layer } from "effect"
import type { Dialer } from "@kanmon/core/Dialer"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"

export class SignOnNetwork extends Context.Service<
  SignOnNetwork,
  {
    readonly organizations: Dialer["Service"]
    readonly operator: Dialer["Service"]
    /** Whether organizations may use plain HTTP: where they may also name private addresses. */
    readonly allowsPlain: boolean
  }
>()("@kanmon/identity/sso/SignOnNetwork") {
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
