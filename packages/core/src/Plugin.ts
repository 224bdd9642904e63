/** The default export of a plugin package. */
import type { Auth } from "./Auth.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"

/** The version of the contracts in this package. Plugins built for another version are refused. */
export const contract = 1

export interface Plugin {
  readonly name: string
  readonly contract: number
  readonly checks: ReadonlyArray<Check>
  readonly channels: ReadonlyArray<Channel>
  readonly auths: ReadonlyArray<Auth>
}

/** Defines a plugin: `export default Plugin.define({ name, contract: 1, checks: [...] })`. */
export const define = (options: {
  readonly name: string
  readonly contract: number
  readonly checks?: ReadonlyArray<Check>
  readonly channels?: ReadonlyArray<Channel>
  readonly auths?: ReadonlyArray<Auth>
}): Plugin => ({ checks: [], channels: [], auths: [], ...options })
