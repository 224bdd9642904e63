/** Authenticates a project or an organization by the API key in the `x-api-key` header. */
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { Effect, Option } from "effect"

const header = "x-api-key"
/** `km_`, or `kmo_` for an organization, and 32 random bytes in base62. */
const pattern = /^kmo?_[0-9A-Za-z]{43}$/

const refused = new Auth.AuthError({
  detail: "Unknown API key; it may have expired or been replaced, or what it belongs to was deleted"
})

const apiKey = Auth.define({
  name: "api-key",
  summary: "Authenticates a project or an organization by its API key in the header x-api-key.",
  authenticate: Effect.fnUntraced(function* ({ headers }: Auth.AuthRequest) {
    const key = headers[header]
    if (key === undefined) return Option.none()
    const keys = yield* ProjectKeys
    // Anything that is not a key by its form needs no database query.
    const found = pattern.test(key) ? yield* keys.find(key) : Option.none()
    if (Option.isNone(found)) return yield* refused
    return found
  })
})

export default Plugin.define({ name: "@kanmon/auth-api-key", contract: 1, auths: [apiKey] })
