/** The health of a process with the database, its endpoints, and the watchdog that reports it. */
export { layer as layerApi } from "./HealthHandlers.ts"
export { layer } from "./HealthLive.ts"
export * as Watchdog from "./Watchdog.ts"
