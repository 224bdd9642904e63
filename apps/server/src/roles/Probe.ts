/** The probe: runs the checks of one region. It needs the bus and no database. */
import { announcementTtl } from "@kanmon/monitoring/regions"
import { LocalProbe } from "@kanmon/platform/ProcessHealth"
import { version } from "@kanmon/platform/version"
import * as NodeDialer from "@kanmon/core/NodeDialer"
import { Resolver } from "@kanmon/core/Resolver"
import { Probe } from "@kanmon/probe/Probe"
import { anyAnswers } from "@kanmon/probe/ReferenceTargets"
import { Effect, Layer } from "effect"
import { DataDirectory } from "../DataDirectory.ts"
import { Settings } from "../Settings.ts"
import { checkNetwork, instanceId } from "./Shared.ts"

const bufferedObservations = 100_000

const probe = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const directory = yield* DataDirectory
    return Probe.layer({
      id: instanceId(directory.path, settings.region),
      region: settings.region,
      concurrency: settings.probeConcurrency,
      hostConcurrency: settings.hostConcurrency,
      version,
      buffer: bufferedObservations,
      announcementTtl,
      traceShare: settings.traceShare,
      gathers: true,
      referenceTargets:
        settings.referenceTargets.length === 0
          ? undefined
          : // The operator chose them, so they may be private.
            anyAnswers(settings.referenceTargets, NodeDialer.make({ allowPrivate: true }, yield* Resolver))
    }).pipe(Layer.provide(checkNetwork))
  })
)

/** The probe's state is part of the process's health. */
const probeHealth = Layer.effect(
  LocalProbe,
  Effect.map(Probe, ({ isLate, isOffline }) => ({ isLate, isOffline }))
)

export const layer = probeHealth.pipe(Layer.provide(probe))
