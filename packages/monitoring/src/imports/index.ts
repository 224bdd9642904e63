/** Moving from another product. */
import { Entitlement } from "@kanmon/identity/billing"
import { Layer } from "effect"
import { ImportedKeyRepository } from "./ImportedKeyRepository.ts"
import * as ImportsHandlers from "./ImportsHandlers.ts"

export { UptimeKumaReader } from "./UptimeKumaReader.ts"
export { layer as layerReader, type Said, TemporaryFolder } from "./UptimeKumaProcess.ts"

/** The operations of this feature. */
export const layerApi = ImportsHandlers.layer.pipe(Layer.provide([ImportedKeyRepository.layer, Entitlement.layer]))
