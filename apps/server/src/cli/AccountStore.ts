/** What commands about accounts work on: the store and the auth plugins, also while the server runs. */
import type { Started } from "@kanmon/core/Auth"
import { Catalogue } from "@kanmon/core/PluginHost"
import * as Migrations from "@kanmon/store/database/Migrations"
import { Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { DataDirectory } from "../DataDirectory.ts"
import * as DatabaseChoice from "../DatabaseChoice.ts"
import { connections } from "../moving/RunningKanmon.ts"
import { authSettings, plugins, storeUnderSecret } from "../Product.ts"
import { Settings } from "../Settings.ts"

/** A server of another version works on the database. */
class OtherVersionRuns extends Data.TaggedError("OtherVersionRuns")<{}> {
  override get message(): string {
    return "The running server is of another version than this command. Use the command of the server's version, or stop the server first."
  }
}

/** Migrates an idle database; under a running server it stays as it is. */
const upToDate = Layer.effectDiscard(
  Effect.gen(function* () {
    const pending = yield* Migrations.pending
    if (pending.length > 0 && (yield* connections) > 0) return yield* new OtherVersionRuns()
    yield* Migrations.run
  })
)

/** The auth plugins, started. */
export const auths: Effect.Effect<ReadonlyArray<Started>, never, Layer.Success<typeof layer>> = Effect.flatMap(
  Catalogue,
  (catalogue) => Effect.forEach(catalogue.auths, (auth) => auth.start)
)

export const layer = Layer.mergeAll(plugins, authSettings).pipe(
  Layer.provideMerge(storeUnderSecret),
  Layer.provideMerge(upToDate),
  Layer.provideMerge(DatabaseChoice.beside),
  Layer.provideMerge(DataDirectory.layer),
  Layer.provideMerge(Settings.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)
