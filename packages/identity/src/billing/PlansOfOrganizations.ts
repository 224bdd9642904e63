/** Which plan is in force for an organization, for those who limit its members. */
import { isLive } from "@kanmon/domain/Subscription"
import { Clock, Effect, Layer } from "effect"
import { OrganizationPlans } from "../organizations/index.ts"
import { Entitlement } from "./Entitlement.ts"
import { SubscriptionRepository } from "./SubscriptionRepository.ts"

export const layer = Layer.effect(
  OrganizationPlans,
  Effect.gen(function* () {
    const entitlement = yield* Entitlement
    const subscriptions = yield* SubscriptionRepository
    return OrganizationPlans.of({
      inForce: (id) => Effect.flatMap(Clock.currentTimeMillis, (at) => entitlement.planOf(id, at)),
      isPaying: (id) =>
        Effect.map(subscriptions.find(id), (found) => found !== undefined && isLive(found) && found.cancelAt === null)
    })
  })
).pipe(Layer.provide([Entitlement.layer, SubscriptionRepository.layer]))
