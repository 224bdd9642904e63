/** Knows a project by its API key, sent in the header `x-api-key`. */
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { ProjectKeys } from "@kanmon/core/ProjectKeys"
import { Effect, Option } from "effect"

const header = "x-api-key"
/** `km_` and 32 random bytes in base62. */
const pattern = /^km_[0-9A-Za-z]{43}$/

const refused = new Auth.AuthError({
  detail: "The API key is not known; it may have been replaced, or its project deleted"
})

const apiKey = Auth.define({
  name: "api-key",
  summary: "A project's API key in the header x-api-key.",
  start: Effect.gen(function* () {
    const keys = yield* ProjectKeys
    return {
      authenticate: Effect.fnUntraced(function* (request: Auth.AuthRequest) {
        const key = request.headers[header]
        if (key === undefined) return Option.none()
        // What does not look like a key is not worth asking the database for.
        const project = pattern.test(key) ? yield* keys.projectOf(key) : Option.none()
        if (Option.isNone(project)) return yield* refused
        return Option.some({ _tag: "ProjectKey" as const, projectId: project.value })
      })
    }
  })
})

export default Plugin.define({ name: "@kanmon/auth-api-key", contract: 1, auths: [apiKey] })
