/** Moving from another product. */
export { addresses, bodyLimit, layer as layerApi, requestTimeout } from "./ImportsHandlers.ts"
export { UptimeKumaReader } from "./UptimeKumaReader.ts"
export { layer as layerReader, type Said, TemporaryFolder } from "./UptimeKumaProcess.ts"
