/** Checks on demand: of a saved monitor, and of settings before they are saved. */
export { layer as layerApi } from "./ChecksHandlers.ts"
