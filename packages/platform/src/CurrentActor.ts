/** The actor of the changes in the running fiber: set for each request and for each command of the operator. */
import type { Actor } from "@kanmon/domain/Actor"
import { Context } from "effect"

/** An actor, and from where. */
export interface ActingFrom {
  readonly actor: Actor
  /** The network address of the client; null without one. */
  readonly address: string | null
}

/** Workers change things for Kanmon itself. */
export const CurrentActor = Context.Reference<ActingFrom>("@kanmon/platform/CurrentActor", {
  defaultValue: () => ({ actor: { kind: "system", id: null, name: "Kanmon" }, address: null })
})
