/** Callers of the API as those who handle alerts. */
import type { AlertActor } from "@kanmon/domain/Alert"
import type { Principal } from "@kanmon/domain/Principal"
import { Caller } from "@kanmon/protocol/Middleware"
import { Effect } from "effect"

/** The caller as the record of an act names it. */
export const actorOf = (caller: Principal): AlertActor =>
  caller._tag === "User"
    ? { kind: "user", name: caller.name }
    : { kind: "key", name: caller.key?.name ?? "Project API key" }

/** The caller as somebody who answers alerts. */
export const responder = Effect.map(Caller, (caller) => ({
  actor: actorOf(caller),
  userId: caller._tag === "User" ? caller.userId : null
}))
