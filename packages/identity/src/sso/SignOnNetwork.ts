/**
 * Connections to identity providers. Organizations name theirs, so the network policy of all that users name applies; the operator's
 * own may be in the operator's network.
 */
import { Context, Effect, Layer } from "effect"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"

export class SignOnNetwork extends Context.Service<SignOnNetwork>()("@kanmon/identity/sso/SignOnNetwork", {
  make: (settings: NodeDialer.DialerSettings) =>
    Effect.map(Resolver, (resolver) => ({
      organizations: NodeDialer.make(settings, resolver),
      operator: NodeDialer.make({ ...settings, allowPrivate: true }, resolver),
      /** Whether organizations may use plain HTTP: where they may also name private addresses. */
      allowsPlain: settings.allowPrivate
    }))
}) {
  static readonly layer = (settings: NodeDialer.DialerSettings) =>
    Layer.effect(SignOnNetwork, SignOnNetwork.make(settings))
}
