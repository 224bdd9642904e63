/**
 * The network of checks. Users choose the targets, so all connections and lookups are subject to the operator's policy.
 */
import { Effect, Layer } from "effect"
import { guarded } from "./AnswerPolicy.ts"
import type { Dialer } from "./Dialer.ts"
import * as NodeDialer from "./NodeDialer.ts"
import * as NodeResolver from "./NodeResolver.ts"
import { Resolver } from "./Resolver.ts"

export const layer = (
  settings: NodeDialer.DialerSettings & NodeResolver.ResolverSettings
): Layer.Layer<Dialer | Resolver> =>
  NodeDialer.layer(settings).pipe(
    Layer.provideMerge(
      Layer.effect(
        Resolver,
        Effect.map(Resolver, (resolver) => guarded(resolver, settings))
      )
    ),
    Layer.provide(NodeResolver.layer(settings))
  )
