/** Figures about on-call duty: what it costs people, and how fast alerts are handled. */
import { Layer } from "effect"
import * as AnalyticsHandlers from "./AnalyticsHandlers.ts"
import { OnCallFigures } from "./OnCallFigures.ts"

/** The operations of this feature. */
export const layerApi = AnalyticsHandlers.layer.pipe(Layer.provide(OnCallFigures.layer))
