/** How far a check has come; names the stage in a timeout's reason. */
export type Stage = "dns" | "connect" | "tls" | "request" | "download" | "evaluate"
