/**
 * What the probes published, read from the bus when everything is over. A check that another probe had stored before is only
 * here: the engines leave it out as a repetition.
 */
import { read as readObservation } from "@kanmon/domain/ObservationMessage"
import { checksStream } from "@kanmon/domain/Subjects"
import { jetstream } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Effect } from "effect"
import type { Observed, Published } from "./Evidence.ts"

/** `monitors`: the monitor of each target. `probeAt`: who finds the targets at an address. */
export const read = (
  url: string,
  monitors: ReadonlyArray<string>,
  probeAt: (address: string) => string | undefined
): Effect.Effect<ReadonlyArray<Published>> =>
  Effect.acquireUseRelease(
    Effect.promise(() => connect({ servers: url })),
    (connection) =>
      Effect.promise(async () => {
        const targets = new Map(monitors.map((id, target) => [id, target]))
        const published: Array<Published> = []
        const consumer = await jetstream(connection).consumers.get(checksStream.name)
        if ((await consumer.info()).num_pending === 0) return published
        const messages = await consumer.consume({ max_messages: 5000 })
        for await (const message of messages) {
          const observation = readObservation(message.string())
          const target = observation === undefined ? undefined : targets.get(observation.monitorId)
          if (observation !== undefined && target !== undefined) {
            const { checkedAt, facts, region, slot } = observation
            const { address } = facts
            published.push({
              target,
              region,
              probe: typeof address === "string" ? probeAt(address) : undefined,
              slot,
              checkedAt
            })
          }
          if (message.info.pending === 0) break
        }
        return published
      }),
    (connection) => Effect.promise(() => connection.close())
  )

/** Those of a slot that is stored with what another check found. */
export const repetitions = (
  published: ReadonlyArray<Published>,
  observed: ReadonlyArray<Observed>
): ReadonlyArray<Published> => {
  const slot = ({ region, slot, target }: Published) => `${target} ${region} ${slot}`
  const check = (row: Published) => `${slot(row)} ${row.checkedAt}`
  const slots = new Set(observed.map(slot))
  const checks = new Set(observed.map(check))
  return published.filter((row) => slots.has(slot(row)) && !checks.has(check(row)))
}
