/** Accounts with Better Auth. Its library is large, so it is loaded at the start: probes and most commands never need it. */
import * as Auth from "@kanmon/core/Auth"
import * as Plugin from "@kanmon/core/Plugin"
import { Effect } from "effect"

const sessions = Auth.define({
  name: "better-auth",
  summary: "Accounts with e-mail and password; sessions in a cookie.",
  start: Effect.flatMap(
    Effect.promise(() => import("./Sessions.ts")),
    ({ start }) => start
  )
})

export default Plugin.define({ name: "@kanmon/auth-better-auth", contract: 1, auths: [sessions] })
