/** Percentiles of a monitor's response times, as a whole and by phase. */
import type { MonitorId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorNotFound } from "@kanmon/domain/NotFound"
import { countOf, quantile, type Sketch } from "@kanmon/domain/Sketch"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { PhasesReport } from "@kanmon/protocol/LogBody"
import { Context, Effect, Layer } from "effect"
import { Timings } from "../evaluation/index.ts"
import { CheckLogRepository } from "./CheckLogRepository.ts"

type Phases = (typeof PhasesReport.Type)["overall"]

export class ResponsePhases extends Context.Service<ResponsePhases>()("@kanmon/monitoring/logs/ResponsePhases", {
  make: Effect.gen(function* () {
    const repository = yield* CheckLogRepository
    const timings = yield* Timings

    /** The response phases of the whole hours or days that touch `[from, to)`, optionally for one region. */
    const read = Effect.fn("ResponsePhases.read")(function* (
      projectId: ProjectId,
      id: MonitorId,
      from: EpochMillis,
      to: EpochMillis,
      region: string | undefined
    ) {
      if ((yield* repository.findMonitor(projectId, id)) === undefined) return yield* new MonitorNotFound({ id })
      const { overall, points, ...window } = yield* timings.read(id, from, to, region)
      return {
        ...window,
        overall: phasesOf(overall),
        points: points.map(({ at, sketches }) => ({ timestamp: at, ...phasesOf(sketches) }))
      }
    })

    return { read }
  })
}) {
  static readonly layer = Layer.effect(ResponsePhases, ResponsePhases.make).pipe(
    Layer.provide(CheckLogRepository.layer)
  )
}

const phasesOf = (sketches: { readonly [Phase in keyof Phases]: Sketch }): Phases => ({
  responseTime: quantilesOf(sketches.responseTime),
  dns: quantilesOf(sketches.dns),
  connect: quantilesOf(sketches.connect),
  tls: quantilesOf(sketches.tls),
  firstByte: quantilesOf(sketches.firstByte),
  download: quantilesOf(sketches.download)
})

const quantilesOf = (sketch: Sketch): Phases["dns"] => {
  const [p50, p95] = [quantile(sketch, 0.5), quantile(sketch, 0.95)]
  return p50 === null || p95 === null ? null : { checks: countOf(sketch), p50: rounded(p50), p95: rounded(p95) }
}

const rounded = (millis: number): number => Math.round(millis * 100) / 100
