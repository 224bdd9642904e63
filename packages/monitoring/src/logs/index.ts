/** Logs: every check of a monitor, its outages, and what its uptime is made of. */
export { layer as layerApi } from "./LogsHandlers.ts"
