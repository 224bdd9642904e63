/** API keys of projects and organizations: finding the caller of a key, and managing keys with roles. */
import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import * as ApiKeysHandlers from "./ApiKeysHandlers.ts"
import * as KeyLookup from "./KeyLookup.ts"

export { ApiKeys } from "./ApiKeys.ts"

/** The services of this feature. */
export const layer = Layer.merge(ApiKeys.layer, KeyLookup.layer)

/** The operations of this feature. */
export const layerApi = ApiKeysHandlers.layer
