/** The processes that share a database, and the settings on which they must agree. */
export { disagreements, explain, type RunningProcess } from "./Disagreement.ts"
export { ProcessRepository } from "./ProcessRepository.ts"
export * as SettingsAgreement from "./SettingsAgreement.ts"
