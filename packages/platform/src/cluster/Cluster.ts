/**
 * Distributes work over the engines of an installation. A singleton runs in one engine at a time, and within seconds in
 * another one if that engine dies, freezes or leaves; the partitions of the observations are spread over all engines. Locks
 * in the database decide (`effect/cluster`), so there is no leader and engines need not reach each other.
 */
import * as TimerCoalescing from "@kanmon/core/TimerCoalescing"
import { partitions } from "@kanmon/domain/Subjects"
import * as ClusterLog from "./ClusterLog.ts"
import { EngineLocks, expirationSeconds, runnerPort } from "./EngineLocks.ts"
import { Duration, Effect, Layer, Option } from "effect"
import {
  EntityId,
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  ShardId,
  Singleton
} from "effect/cluster"

const interval = "2 seconds"
const group = "default"
/** In milliseconds: the other questions of a half second are answered by then. */
const afterOurs = 10

/** Takes part as `id`, which is the same after a restart. */
export const layer = (id: string): Layer.Layer<Sharding.Sharding, never, EngineLocks> =>
  Sharding.layer.pipe(
    Layer.provide(Runners.layerNoop),
    Layer.provide([
      MessageStorage.layerNoop,
      RunnerHealth.layerNoop,
      Layer.unwrap(Effect.map(EngineLocks, ({ storage }) => storage))
    ]),
    Layer.provide(
      ShardingConfig.layer({
        runnerAddress: Option.some(RunnerAddress.make(id, runnerPort)),
        shardsPerGroup: partitions,
        shardLockExpiration: Duration.seconds(expirationSeconds),
        shardLockRefreshInterval: interval,
        refreshAssignmentsInterval: interval,
        entityMessagePollInterval: interval
      })
    ),
    Layer.provide(TimerCoalescing.layer(afterOurs)),
    Layer.provide(ClusterLog.layer)
  )

/** Keeps the layer built in one engine at a time. */
export const singleton = <R>(
  name: string,
  layer: Layer.Layer<never, never, R>
): Layer.Layer<never, never, Sharding.Sharding | R> => Singleton.make(name, Layer.launch(layer))

/** Runs the effect of each partition in one engine at a time, spread as evenly as can be. */
export const partitioned = <R>(
  name: string,
  run: (partition: number) => Effect.Effect<never, never, R>
): Layer.Layer<never, never, Sharding.Sharding | R> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      for (let partition = 0; partition < partitions; partition++) {
        yield* sharding.registerSingleton(nameOf(sharding, `${name}-${partition}`, partition), run(partition))
      }
    })
  )

/**
 * A name with a hash in the partition's own shard. Random names would give several partitions to some shards, and none
 * to others.
 */
const nameOf = (sharding: Sharding.Sharding["Service"], name: string, partition: number): string => {
  const shard = ShardId.make(group, partition + 1)
  for (let salt = 0; ; salt++) {
    const salted = `${name}-${salt}`
    if (sharding.getShardId(EntityId.make(salted), group).id === shard.id) return salted
  }
}
