/** Registry: which monitors exist, with their names, tags and locks. Every feature may ask it, and it asks none. */
export { MonitorRecordRepository, type NewMonitor, type ReadDomain } from "./MonitorRecordRepository.ts"
export { RegistryRepository } from "./RegistryRepository.ts"
