/** The store, and what signs people in, for commands about accounts; they also work while the server runs. */
import { BetterAuthSignIn, SignIn } from "@kanmon/identity/accounts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import * as Migrations from "@kanmon/platform/database/Migrations"
import { Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { connections } from "@kanmon/monitoring/backup"
import { authSettings, storeUnderSecret } from "../roles/ControlPlane.ts"
import { Settings } from "../Settings.ts"

/** A server of another version uses the database. */
class OtherVersionRuns extends Data.TaggedError("OtherVersionRuns")<{}> {
  override get message(): string {
    return "The running server is of another version than this command. Use the command of the server's version, or stop the server first."
  }
}

/** Migrates the database, unless a server uses it. */
const upToDate = Layer.effectDiscard(
  Effect.gen(function* () {
    const pending = yield* Migrations.pending
    if (pending.length > 0 && (yield* connections) > 0) return yield* new OtherVersionRuns()
    yield* Migrations.run
  })
)

/** Sign-in services for the commands that need them. */
export const signIn = Effect.provide(SignIn, BetterAuthSignIn.layer)

/** Records changes of the commands as the operator's. */
const operator = Layer.succeed(CurrentActor, {
  actor: { kind: "operator", id: null, name: "kanmon command" },
  address: null
})

export const layer = Layer.merge(operator, authSettings).pipe(
  Layer.provideMerge(storeUnderSecret),
  Layer.provideMerge(upToDate),
  Layer.provideMerge(DatabaseChoice.beside),
  Layer.provideMerge(DataDirectory.layer),
  Layer.provideMerge(Settings.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)
