/** Public events: the server-sent stream and the AsyncAPI document. */
import { Layer } from "effect"
import { AccessWatch } from "./AccessWatch.ts"
import * as EventStream from "./EventStream.ts"
import { OpenStreams } from "./OpenStreams.ts"

export * as AsyncApiDocument from "./AsyncApiDocument.ts"
export { OpenStreams } from "./OpenStreams.ts"

/** The services of this feature. */
export const layer = OpenStreams.layer

/** Endpoints that read the request themselves. */
export const layerDirect = EventStream.layer.pipe(Layer.provide(AccessWatch.layer))
