/** Tells organizations whether pages reach their members. */
import { MemberReach } from "@kanmon/identity/organizations"
import { Effect, Layer } from "effect"
import * as Reach from "./Reach.ts"

export const layer = Layer.effect(
  MemberReach,
  Effect.map(Reach.make, ({ ofUsers }) => MemberReach.of({ reachable: ofUsers }))
)
