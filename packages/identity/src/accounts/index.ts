/** Accounts: people who use this installation, and their ways to sign in. */
import { Layer } from "effect"
import { AccountChanges } from "./AccountChanges.ts"
import * as AccountHandlers from "./AccountHandlers.ts"
import { Accounts } from "./Accounts.ts"
import * as AuthHandlers from "./AuthHandlers.ts"
import * as SessionsHandlers from "./SessionsHandlers.ts"
import { EarlierAccess } from "./EarlierAccess.ts"
import { FailedSignIns } from "./FailedSignIns.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { SessionRepository } from "../users/index.ts"

export { EarlierAccessEnding, EarlierMethodsEnding } from "./AccountHooks.ts"
export { FailedSignIns } from "./FailedSignIns.ts"
export { Accounts } from "./Accounts.ts"
export * as AuthRecordRules from "./AuthRecordRules.ts"
export { AuthRecords, type Where } from "../users/index.ts"
export { AuthSettings } from "./AuthSettings.ts"
export * as BetterAuthSignIn from "./BetterAuthSignIn.ts"
export * as Sessions from "./Sessions.ts"
export { SignIn } from "./SignIn.ts"
export { SignInAttempts } from "./SignInAttempts.ts"

/** The operations of this feature. */
export const layerApi = Layer.merge(SessionsHandlers.layer, AccountHandlers.layer)

/** The services of this feature. */
export const layer = Layer.mergeAll(AccountChanges.layer.pipe(Layer.provide(EarlierAccess.layer)), Accounts.layer).pipe(
  Layer.provideMerge(SignInAttempts.layer),
  Layer.provideMerge(FailedSignIns.layer),
  Layer.provideMerge(SessionRepository.layer)
)

/** Endpoints that read the request themselves. */
export const layerDirect = AuthHandlers.layer
