/** The control plane as two layers: the services over the database, and the engine. */
export * as Engine from "./Engine.ts"
export * as Store from "./Store.ts"
