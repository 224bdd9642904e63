/** Authenticates an account by its session: a browser's by the cookie, a program's by the token in the header `Authorization`. */
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { Sessions } from "@kanmon/core/Sessions"
import { Effect, Option } from "effect"

/** A text that claims to be the token of a program, even if it cannot be one. */
const claim = /^Bearer +(kmu_.*)$/i

const session = Auth.define({
  name: "session",
  summary: "Authenticates an account by the cookie of its session, or by the token of a program.",
  authenticate: Effect.fnUntraced(function* ({ headers: { authorization, cookie } }: Auth.AuthRequest) {
    const sessions = yield* Sessions
    const token = claim.exec(authorization ?? "")?.[1]
    // A cookie that comes with a token counts for nothing.
    if (token !== undefined) return Option.some(yield* sessions.ofToken(token))
    return cookie === undefined ? Option.none() : yield* sessions.ofCookies(cookie)
  })
})

export default Plugin.define({ name: "@kanmon/auth-session", contract: 1, auths: [session] })
