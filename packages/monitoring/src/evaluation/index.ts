/** Evaluation: from observations to the status, its history, rollups and alerts. */
import { Effect, Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { CaptureRepository } from "./CaptureRepository.ts"
import { Evaluation } from "./Evaluation.ts"
import { EvaluationRepository } from "./EvaluationRepository.ts"
import * as EvaluationWorker from "./EvaluationWorker.ts"
import { History } from "./History.ts"
import { HistoryRepository } from "./HistoryRepository.ts"
import { MaintenanceEnded } from "../maintenance/index.ts"
import { Partitions } from "./Partitions.ts"
import { ResultMoving } from "./ResultMoving.ts"
import { ResponseTimeRepository } from "./ResponseTimeRepository.ts"
import { ResponseTimes } from "./ResponseTimes.ts"
import { RollupRepository } from "./RollupRepository.ts"
import { Rollups } from "./Rollups.ts"
import * as HoldWorker from "./HoldWorker.ts"
import * as RuleReviewWorker from "./RuleReviewWorker.ts"
import * as StalenessWorker from "./StalenessWorker.ts"
import { Summaries } from "./Summaries.ts"
import { SummaryRepository } from "./SummaryRepository.ts"
import * as SummaryWorker from "./SummaryWorker.ts"
import { StatusHistory } from "./StatusHistory.ts"
import { StatusHistoryRepository } from "./StatusHistoryRepository.ts"
import { Timings } from "./Timings.ts"

export { CaptureRepository } from "./CaptureRepository.ts"
export { Evaluation } from "./Evaluation.ts"
export * as EvaluationMetrics from "./EvaluationMetrics.ts"
export { EvaluationRepository } from "./EvaluationRepository.ts"
export { consumers, type EvaluationOptions } from "./EvaluationWorker.ts"
export { History } from "./History.ts"
export { MonitorStateRepository } from "./MonitorStateRepository.ts"
export { Partitions } from "./Partitions.ts"
export { type MovedResult, newestFirst, ResultBlockRepository } from "./ResultBlockRepository.ts"
export { ResultMoving } from "./ResultMoving.ts"
export { Rollups } from "./Rollups.ts"
export { knownUntilOf, type MeasuredMonitor, StatusHistory } from "./StatusHistory.ts"
export { shownStatus } from "./StatusHistoryRepository.ts"
export { Summaries } from "./Summaries.ts"
export { storedCapture } from "./StoredCapture.ts"
export { storedState } from "./StoredState.ts"
export { Timings } from "./Timings.ts"

/** The services of this feature, without those that decide alerts. */
export const layer = Layer.mergeAll(
  CaptureRepository.layer,
  EvaluationRepository.layer,
  ResultMoving.layer.pipe(Layer.provideMerge(Partitions.layer)),
  History.layer.pipe(Layer.provide(ResponseTimes.layer)),
  Rollups.layer,
  Summaries.layer,
  Timings.layer
).pipe(
  Layer.provideMerge(StatusHistory.layer),
  Layer.provide([HistoryRepository.layer, ResponseTimeRepository.layer, SummaryRepository.layer]),
  Layer.provide([RollupRepository.layer, StatusHistoryRepository.layer])
)

/** Evaluations, which decide alerts; also those after the end of maintenance. */
export const layerEvaluation = Layer.effect(
  MaintenanceEnded,
  Effect.map(Evaluation, ({ reviewAlerts }) => reviewAlerts)
).pipe(Layer.provideMerge(Evaluation.layer))

/** The jobs of this feature: the evaluation of each partition, stale monitors, changed rules, and alerts that wait for dependencies. */
export const layerWorker = (options: Partial<EvaluationWorker.EvaluationOptions>) =>
  Layer.mergeAll(
    EvaluationWorker.layer(options),
    Cluster.singleton("staleness", StalenessWorker.layer),
    Cluster.singleton("rules", RuleReviewWorker.layer),
    Cluster.singleton("holds", HoldWorker.layer),
    Cluster.singleton("summaries", SummaryWorker.layer)
  )
