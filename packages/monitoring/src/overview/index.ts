/** The state of a project at a glance. */
export { layer as layerApi } from "./OverviewHandlers.ts"
