/** API keys of projects: finding the caller of a key, and managing further keys with roles. */
import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import * as ApiKeysHandlers from "./ApiKeysHandlers.ts"
import * as KeyLookup from "./KeyLookup.ts"

export { ApiKeys } from "./ApiKeys.ts"

/** The services of this feature. */
export const layer = Layer.merge(ApiKeys.layer, KeyLookup.layer)

/** The operations of this feature. */
export const layerApi = ApiKeysHandlers.layer
