/** On call: schedules of organizations, who is on call when, and what was recorded of it. */
import { Layer } from "effect"
import * as Cluster from "@kanmon/platform/cluster/Cluster"
import { Handoffs } from "./Handoffs.ts"
import * as HandoffWorker from "./HandoffWorker.ts"
import { Overrides } from "./Overrides.ts"
import { Participants } from "./Participants.ts"
import { Schedules } from "./Schedules.ts"
import * as SchedulesHandlers from "./SchedulesHandlers.ts"
import { Shifts } from "./Shifts.ts"

export { Handoffs } from "./Handoffs.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(Handoffs.layer, Overrides.layer, Participants.layer, Schedules.layer, Shifts.layer)

/** The operations of this feature. */
export const layerApi = SchedulesHandlers.layer

/** The jobs of this feature. */
export const layerWorker = Cluster.singleton("on-call", HandoffWorker.layer)
