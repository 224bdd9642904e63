/** How many members besides viewers the plan includes. Callers hold the organization's lock. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { memberRoomOf } from "@kanmon/domain/Plan"
import { Clock, Context, Effect, Layer } from "effect"
import { InvitationRepository } from "./InvitationRepository.ts"
import { MemberRepository } from "./MemberRepository.ts"
import { MemberLimitReached } from "./OrganizationErrors.ts"
import { OrganizationPlans } from "./OrganizationHooks.ts"

export class MemberLimit extends Context.Service<
  MemberLimit,
  {
    /** Refuses one more member. Open invitations count when another one is sent, not when one of them is accepted. */
    readonly admitOneMore: (
      id: OrganizationId,
      options: { readonly withInvitations: boolean }
    ) => Effect.Effect<void, MemberLimitReached>
  }
>()("@kanmon/identity/organizations/MemberLimit") {
  static readonly layer = Layer.effect(
    MemberLimit,
    Effect.gen(function* () {
      const members = yield* MemberRepository
      const invitations = yield* InvitationRepository
      const plans = yield* OrganizationPlans

      const admitOneMore: MemberLimit["Service"]["admitOneMore"] = Effect.fn("MemberLimit.admitOneMore")(function* (
        id,
        { withInvitations }
      ) {
        const plan = yield* plans.inForce(id)
        const limit = memberRoomOf(plan)
        if (!Number.isFinite(limit)) return
        const invited = withInvitations ? (yield* invitations.count(id, yield* Clock.currentTimeMillis)).paid : 0
        const current = (yield* members.countPaid(id)) + invited
        if (current >= limit)
          return yield* new MemberLimitReached({ limit, current, planId: plan.id, planName: plan.name })
      })

      return MemberLimit.of({ admitOneMore })
    })
  ).pipe(Layer.provide([InvitationRepository.layer, MemberRepository.layer]))
}
