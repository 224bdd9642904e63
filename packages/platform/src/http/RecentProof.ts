/** Asks a session for a recent proof that its person owns the account, before what gives others lasting access or destroys what cannot be restored. */
import { includes, type Role } from "@kanmon/domain/Role"
import type { User } from "@kanmon/domain/Principal"
import { isRecent, proofNeeded } from "@kanmon/domain/RecentProof"
import { Caller, CallerUser } from "@kanmon/protocol/Middleware"
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"

/** A program's login was approved with a proof, and has no way to give another one. */
const provesItself = ({ isProgram, provenAt }: User): boolean => isProgram === true || provenAt === undefined

/** Whether the caller proved a short time ago to own the account. */
const given = Effect.gen(function* () {
  const caller = yield* CallerUser
  return provesItself(caller) || isRecent(caller.provenAt, yield* Clock.currentTimeMillis)
})

/** Refuses sessions without a recent proof. */
export const required: Effect.Effect<void, Problem<"proof_required">, CallerUser> = Effect.flatMap(given, (isGiven) =>
  isGiven ? Effect.void : Effect.fail(new Problem(proofNeeded))
)

/** Refuses sessions without a recent proof where keys are callers too, which prove themselves. */
export const requiredOfSession: Effect.Effect<void, Problem<"proof_required">, Caller> = Effect.flatMap(
  Caller,
  (caller) => (caller._tag === "User" ? Effect.provideService(required, CallerUser, caller) : Effect.void)
)

/** Refuses them where somebody gets a role that lets others in. */
export const requiredFor = (role: Role): Effect.Effect<void, Problem<"proof_required">, CallerUser> =>
  includes(role, "admin") ? required : Effect.void
