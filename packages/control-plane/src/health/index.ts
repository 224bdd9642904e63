/** Health of this process and the watchdog that reports it. */
export { HealthCheck, layer as layerApi } from "./HealthHandlers.ts"
export { layer, layerProbe, LocalProbe } from "./HealthLive.ts"
export * as Watchdog from "./Watchdog.ts"
