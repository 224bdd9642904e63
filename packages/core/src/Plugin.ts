/** What a plugin package exports by default. */
import type { Auth } from "./Auth.ts"
import type { Channel } from "./Channel.ts"
import type { Check } from "./Check.ts"

/** The version of the contracts in this package. A plugin built for another one is refused. */
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
