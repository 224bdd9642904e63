/** The plugins of this installation. */
export { layer as layerApi } from "./PluginsHandlers.ts"
