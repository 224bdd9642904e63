/** How many members besides viewers the plan includes. Callers hold the organization's lock. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { memberRoomOf } from "@kanmon/domain/Plan"
import { Clock, Context, Effect, Layer } from "effect"
import { InvitationRepository } from "./InvitationRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { MemberLimitReached } from "./OrganizationErrors.ts"
import { OrganizationPlans } from "./OrganizationHooks.ts"

export class MemberLimit extends Context.Service<MemberLimit>()("@kanmon/identity/organizations/MemberLimit", {
  make: Effect.gen(function* () {
    const members = yield* MemberRepository
    const invitations = yield* InvitationRepository
    const plans = yield* OrganizationPlans

    /** Refuses one more member. Open invitations count when another one is sent, not when one of them is accepted. */
    const admitOneMore = Effect.fn("MemberLimit.admitOneMore")(function* (
      id: OrganizationId,
      { withInvitations }: { readonly withInvitations: boolean }
    ) {
      const plan = yield* plans.inForce(id)
      const limit = memberRoomOf(plan)
      if (!Number.isFinite(limit)) return
      const invited = withInvitations ? (yield* invitations.count(id, yield* Clock.currentTimeMillis)).paid : 0
      const current = (yield* members.countPaid(id)) + invited
      if (current >= limit)
        return yield* new MemberLimitReached({ limit, current, planId: plan.id, planName: plan.name })
    })

    return { admitOneMore }
  })
}) {
  static readonly layer = Layer.effect(MemberLimit, MemberLimit.make).pipe(
    Layer.provide([InvitationRepository.layer, MemberRepository.layer])
  )
}
