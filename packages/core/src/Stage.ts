/** The stages of a check in order; a timeout's message names the stage that was reached. */
export const stages = ["dns", "connect", "tls", "request", "download", "evaluate"] as const
export type Stage = (typeof stages)[number]
