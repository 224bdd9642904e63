/** Shared by the parts of the bus contract. */
import type { EventBus } from "@kanmon/core/EventBus"
import { Effect, type Scope } from "effect"

/** Adds a law that the bus has to keep. */
export type Law = (sentence: string, body: Effect.Effect<unknown, unknown, EventBus | Scope.Scope>) => void

let runs = 0

/** Names that no other test has used, because the bus may remember them. */
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
