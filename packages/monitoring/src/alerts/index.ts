/** Alerts: rules, open alerts, their history, and the delivery of notifications. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { ChannelLeaseRepository } from "../channels/index.ts"
import { RegistryRepository } from "../registry/index.ts"
import { AcknowledgeLinks } from "./AcknowledgeLinks.ts"
import * as AcknowledgeRoutes from "./AcknowledgeRoutes.ts"
import { AlertHandlings } from "./AlertHandlings.ts"
import { AlertHistory } from "./AlertHistory.ts"
import { AlertRepository } from "./AlertRepository.ts"
import { AlertRules } from "./AlertRules.ts"
import * as AlertsHandlers from "./AlertsHandlers.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import * as DeliveryWorker from "./DeliveryWorker.ts"
import * as HandlingHandlers from "./HandlingHandlers.ts"
import { HandlingRepository } from "./HandlingRepository.ts"
import { HistoryRepository } from "./HistoryRepository.ts"
import { HoldRepository } from "./HoldRepository.ts"
import { LinkRepository } from "./LinkRepository.ts"
import { OpenAlerts } from "./OpenAlerts.ts"
import { ReaderZoneRepository } from "./ReaderZoneRepository.ts"
import * as ReminderWorker from "./ReminderWorker.ts"
import { RulePreviewRepository } from "./RulePreviewRepository.ts"
import { RulePreviews } from "./RulePreviews.ts"
import { RuleRepository } from "./RuleRepository.ts"
import { RuleReviewRepository } from "./RuleReviewRepository.ts"
import { SilenceRepository } from "./SilenceRepository.ts"
import { Silences } from "./Silences.ts"

export { AcknowledgeLinks } from "./AcknowledgeLinks.ts"
export type { AlertChanges, AlertContext } from "./AlertRecords.ts"
export { AlertRetentionRepository } from "./AlertRetentionRepository.ts"
export { AlertRules } from "./AlertRules.ts"
export { Alerts, type Moment } from "./Alerts.ts"
export * as ChannelUse from "./ChannelUseRepository.ts"
export * as DeliveryMetrics from "./DeliveryMetrics.ts"
export * as DefaultRule from "./DefaultRule.ts"
export { Deliveries } from "./Deliveries.ts"
export { DeliveryQueue } from "./DeliveryQueue.ts"
export { HoldRepository, isDue as isHoldDue } from "./HoldRepository.ts"
export { OpenAlerts } from "./OpenAlerts.ts"
export { ReaderZoneRepository } from "./ReaderZoneRepository.ts"
export * as RuleWrites from "./RuleWrites.ts"
export { isDue as isRuleReviewDue, RuleReviewRepository } from "./RuleReviewRepository.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(
  AcknowledgeLinks.layer.pipe(Layer.provideMerge(AlertHandlings.layer)),
  AlertHistory.layer,
  AlertRules.layer,
  Deliveries.layer,
  OpenAlerts.layer,
  RulePreviews.layer,
  Silences.layer
).pipe(
  Layer.provideMerge([
    DeliveryQueue.layer,
    HoldRepository.layer,
    ReaderZoneRepository.layer,
    RuleReviewRepository.layer
  ]),
  Layer.provide([
    AlertRepository.layer,
    ChannelLeaseRepository.layer,
    DeliveryRepository.layer,
    HandlingRepository.layer,
    LinkRepository.layer
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
export const layerRoutes = AcknowledgeRoutes.layer

/** The jobs of this feature. Engines share deliveries by leases. */
export const layerWorker = (options: Parameters<typeof DeliveryWorker.layer>[0]) =>
  Layer.merge(DeliveryWorker.layer(options), Cluster.singleton("reminders", ReminderWorker.layer))
