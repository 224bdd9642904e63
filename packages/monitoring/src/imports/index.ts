/** Moving from another product. */
export { layer as layerApi } from "./ImportsHandlers.ts"
export { UptimeKumaReader } from "./UptimeKumaReader.ts"
export { layer as layerReader, type Said, TemporaryFolder } from "./UptimeKumaProcess.ts"
