/** Checks on demand: of a saved monitor, and of settings before they are saved. */
export { addresses, layer as layerApi, requestTimeout } from "./ChecksHandlers.ts"
