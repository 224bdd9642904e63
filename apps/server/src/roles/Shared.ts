/** Services of every role: the bus and its clock, plugins, the network, and the listener for metrics. */
import { createHash } from "node:crypto"
import { hostname } from "node:os"
import type { HealthCheck } from "@kanmon/platform/ProcessHealth"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import { BusClock } from "@kanmon/core/BusClock"
import * as CheckNetwork from "@kanmon/core/CheckNetwork"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import * as NodeResolver from "@kanmon/core/NodeResolver"
import { Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Bus from "../Bus.ts"
import { DataDirectory } from "../DataDirectory.ts"
import type { CannotListen } from "../listeners/Listening.ts"
import * as MetricsListener from "../listeners/MetricsListener.ts"
import * as Plugins from "../Plugins.ts"
import { Settings } from "../Settings.ts"
import * as UnknownSettings from "../UnknownSettings.ts"

/** A stable id for one part of this process: one process runs from a data directory at a time. */
export const instanceId = (directory: string, part: string): string =>
  createHash("sha256").update(`${hostname()}\n${directory}\n${part}`).digest("hex").slice(0, 24)

/** Outgoing connections of the service itself, under the network policy of the settings. */
const network = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets, dnsResolver }) => {
    const policy = { allowPrivate: allowPrivateTargets }
    return NodeDialer.layer(policy).pipe(
      Layer.provideMerge(NodeResolver.layer({ ...policy, server: Option.getOrUndefined(dnsResolver) }))
    )
  })
)

/** The network as checks see it: users choose their targets. */
export const checkNetwork = Layer.unwrap(
  Effect.map(Settings, ({ allowPrivateTargets, checkResolver, dnsResolver }) =>
    CheckNetwork.layer({
      allowPrivate: allowPrivateTargets,
      server: Option.getOrUndefined(Option.orElse(checkResolver, () => dnsResolver))
    })
  )
)

/** Measures this process's clock against the bus and corrects it: all roles use the time of the bus. */
const busClock = Layer.unwrap(
  Effect.gen(function* () {
    const { region, roles } = yield* Settings
    const { path } = yield* DataDirectory
    const place = roles.includes("probe") ? region : "control-plane"
    return BusClock.layer(`${place}.${instanceId(path, "clock")}`)
  })
)

/** A listener that exists only when a setting names its port. */
export const onPort = <E, R>(
  port: Option.Option<number>,
  listener: (port: number) => Layer.Layer<never, E, R>
): Layer.Layer<never, E, R> => Option.match(port, { onNone: () => Layer.empty, onSome: listener })

/** Health and metrics of this process, on `KANMON_METRICS_PORT`. */
export const metrics: Layer.Layer<never, CannotListen, HealthCheck | Settings> = Layer.unwrap(
  Effect.map(Settings, ({ host, metricsPort }) => onPort(metricsPort, (port) => MetricsListener.layer({ host, port })))
)

export const layer = Layer.merge(busClock, UnknownSettings.logged).pipe(
  Layer.provideMerge(Bus.layer),
  Layer.provideMerge(Layer.mergeAll(Plugins.layer, network, BoundedEvaluator.layer, SecureRandom.layerWebCrypto))
)
