/** Escalation: policies of organizations, which say who is told of an alert and in which order, and the escalations of alerts. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { AlertReopening } from "../alerts/index.ts"
import { AlertCalls } from "./AlertCalls.ts"
import * as AlertEscalationsHandlers from "./AlertEscalationsHandlers.ts"
import * as Escalating from "./Escalations.ts"
import * as EscalationWorker from "./EscalationWorker.ts"
import * as PoliciesHandlers from "./PoliciesHandlers.ts"
import { Policies } from "./Policies.ts"
import { PolicyPreviews } from "./PolicyPreviews.ts"
import { PolicyReferences } from "./PolicyReferences.ts"
import { Timelines } from "./Timelines.ts"

export { AlertCalls } from "./AlertCalls.ts"
export * as AcknowledgementMessages from "./AcknowledgementMessages.ts"
export { EscalationMessages } from "./EscalationMessages.ts"
export { drillPageKind, pageKind, pageKindOf } from "./EscalationPages.ts"
export { Escalations } from "./Escalations.ts"
export { Policies } from "./Policies.ts"
export * as PolicyWrites from "./PolicyWrites.ts"
export { Timelines } from "./Timelines.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(
  AlertCalls.layer,
  Policies.layer,
  PolicyPreviews.layer,
  PolicyReferences.layer,
  Timelines.layer
)

/** Escalations of alerts, and the port by which alerts begin and end them. */
export const layerEscalations = Escalating.layerPort.pipe(
  Layer.provideMerge(Escalating.Escalations.layer),
  Layer.provide(AlertReopening.layer)
)

/** The operations of this feature. */
export const layerApi = Layer.merge(PoliciesHandlers.layer, AlertEscalationsHandlers.layer)

/** The uses that policies make of schedules, teams and channels. */
export * as PolicyUse from "./PolicyUse.ts"

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("escalations", EscalationWorker.layer)
