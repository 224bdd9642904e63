/** Escalation: policies of organizations, which say who is told of an alert and in which order. */
import { Layer } from "effect"
import * as PoliciesHandlers from "./PoliciesHandlers.ts"
import { Policies } from "./Policies.ts"
import { PolicyPreviews } from "./PolicyPreviews.ts"
import { PolicyReferences } from "./PolicyReferences.ts"
import * as PolicyUse from "./PolicyUse.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(Policies.layer, PolicyPreviews.layer, PolicyReferences.layer)

/** The operations of this feature. */
export const layerApi = PoliciesHandlers.layer

/** The use that policies make of schedules. */
export const layerUse = PolicyUse.layer
