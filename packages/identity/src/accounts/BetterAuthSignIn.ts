/** Better Auth as the driver of accounts and sessions. Its library is large: only what signs people in loads it. */
import { ProvenAccounts } from "@kanmon/core/ProvenAccounts"
import { Sessions } from "@kanmon/core/Sessions"
import { Effect, Layer } from "effect"
import { SignIn } from "./SignIn.ts"

const driver = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./better-auth/Driver.ts")),
    ({ start }) => Layer.effect(SignIn, start)
  )
)

/** The driver, and what auth plugins ask of it. */
export const layer = Layer.merge(
  Layer.effect(
    Sessions,
    Effect.map(SignIn, ({ sessions }) => sessions)
  ),
  Layer.effect(
    ProvenAccounts,
    Effect.map(SignIn, ({ accounts }) => accounts)
  )
).pipe(Layer.provideMerge(driver))
