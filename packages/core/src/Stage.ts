/** The stages of a check, in their order: how far it has come names the place of a timeout in its reason. */
export const stages = ["dns", "connect", "tls", "request", "download", "evaluate"] as const
export type Stage = (typeof stages)[number]
