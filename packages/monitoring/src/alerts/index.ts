/** Alerts: rules, open alerts, their history, and what people do with them. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { RegistryRepository } from "../registry/index.ts"
import { AcknowledgeLinks } from "./AcknowledgeLinks.ts"
import * as AcknowledgeHandlers from "./AcknowledgeHandlers.ts"
import { AlertHandlings } from "./AlertHandlings.ts"
import { AlertHistory } from "./AlertHistory.ts"
import { AlertMessages } from "./AlertMessages.ts"
import { AlertRepository } from "./AlertRepository.ts"
import { AlertReopening } from "./AlertReopening.ts"
import { AlertRetention } from "./AlertRetention.ts"
import { AlertRetentionRepository } from "./AlertRetentionRepository.ts"
import { AlertRules } from "./AlertRules.ts"
import * as AlertsHandlers from "./AlertsHandlers.ts"
import { DrillAlerts } from "./DrillAlerts.ts"
import * as HandlingHandlers from "./HandlingHandlers.ts"
import { ExternalAlertRepository } from "./ExternalAlertRepository.ts"
import { ExternalAlerts } from "./ExternalAlerts.ts"
import { HandlingRepository } from "./HandlingRepository.ts"
import { HistoryRepository } from "./HistoryRepository.ts"
import { HoldRepository } from "./HoldRepository.ts"
import { LinkRepository } from "./LinkRepository.ts"
import { OpenAlerts } from "./OpenAlerts.ts"
import { OutcomeRepository } from "./OutcomeRepository.ts"
import * as ReminderWorker from "./ReminderWorker.ts"
import { RulePreviewRepository } from "./RulePreviewRepository.ts"
import { RulePreviews } from "./RulePreviews.ts"
import { RuleRepository } from "./RuleRepository.ts"
import { RuleReviewRepository } from "./RuleReviewRepository.ts"
import { SilenceRepository } from "./SilenceRepository.ts"
import { Silences } from "./Silences.ts"
import { WatchedMonitorRepository } from "./WatchedMonitorRepository.ts"

export { AcknowledgeLinks } from "./AcknowledgeLinks.ts"
export { AlertEscalations, type Responder } from "./AlertHooks.ts"
export { alertKind, alertMessage, topicOf } from "./AlertKind.ts"
export * as AlertNames from "./AlertNames.ts"
export * as Coverage from "./CoverageRepository.ts"
export { AlertMessages } from "./AlertMessages.ts"
export type { AlertChanges, AlertContext } from "./AlertRecords.ts"
export { AlertReopening } from "./AlertReopening.ts"
export { AlertRetention } from "./AlertRetention.ts"
export { AlertRules } from "./AlertRules.ts"
export { Alerts, type Moment } from "./Alerts.ts"
export * as ChannelUse from "./ChannelUseRepository.ts"
export * as DefaultRule from "./DefaultRule.ts"
export { responder } from "./AlertActors.ts"
export { isDue as isExternalEndDue } from "./ExternalAlertRepository.ts"
export { DrillAlerts } from "./DrillAlerts.ts"
export { ExternalAlerts } from "./ExternalAlerts.ts"
export { HandlingRepository } from "./HandlingRepository.ts"
export { HoldRepository, isDue as isHoldDue } from "./HoldRepository.ts"
export { OpenAlerts } from "./OpenAlerts.ts"
export * as RuleWrites from "./RuleWrites.ts"
export { pageTestKind, TestAnswers } from "./TestAnswers.ts"
export { isDue as isRuleReviewDue, RuleReviewRepository } from "./RuleReviewRepository.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(
  AlertMessages.layer.pipe(Layer.provideMerge(AcknowledgeLinks.layer), Layer.provideMerge(AlertHandlings.layer)),
  AlertHistory.layer,
  AlertRetention.layer,
  AlertRules.layer,
  Layer.merge(ExternalAlerts.layer, DrillAlerts.layer).pipe(
    Layer.provideMerge(OpenAlerts.layer),
    Layer.provide([AlertReopening.layer, ExternalAlertRepository.layer])
  ),
  RulePreviews.layer,
  Silences.layer
).pipe(
  Layer.provideMerge([HoldRepository.layer, RuleReviewRepository.layer]),
  Layer.provide([
    AlertRepository.layer,
    WatchedMonitorRepository.layer,
    AlertRetentionRepository.layer,
    HandlingRepository.layer,
    LinkRepository.layer,
    OutcomeRepository.layer
  ]),
  Layer.provide([
    RegistryRepository.layer,
    HistoryRepository.layer,
    RulePreviewRepository.layer,
    RuleRepository.layer,
    SilenceRepository.layer
  ])
)

/** The operations of this feature. */
export const layerApi = Layer.mergeAll(
  AlertsHandlers.rules,
  AlertsHandlers.history,
  HandlingHandlers.alerts,
  HandlingHandlers.monitorAlerts,
  HandlingHandlers.silences
)

/** The pages that links in notifications lead to. */
export const layerDirect = AcknowledgeHandlers.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("reminders", ReminderWorker.layer)
