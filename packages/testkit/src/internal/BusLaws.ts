/** What the parts of the bus's contract share. */
import type { EventBus } from "@kanmon/core/EventBus"
import { Effect, type Scope } from "effect"

/** Adds a sentence that the bus has to keep. */
export type Law = (sentence: string, body: Effect.Effect<unknown, unknown, EventBus | Scope.Scope>) => void

let runs = 0

/** Names that no other test has used: the bus may remember. */
export const names = Effect.sync(() => {
  const tag = `${process.pid}x${++runs}`
  return {
    stream: `T_${tag}`,
    subject: (rest: string) => `t${tag}.${rest}`,
    bucket: `b_${tag}`,
    durable: `d_${tag}`,
    tag
  }
})
