/** Accounts: who uses this installation, how they sign in, and how much one account may create. */
import { Layer } from "effect"
import * as AccountChanges from "./AccountChanges.ts"
import { AccountLimits } from "./AccountLimits.ts"
import { Accounts } from "./Accounts.ts"
import * as AuthRoutes from "./AuthRoutes.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

export { AccountCreated } from "./AccountCreated.ts"
export { AccountLimits } from "./AccountLimits.ts"
export { AccountLock } from "./AccountLock.ts"
export * as AccountQuotas from "./AccountQuotas.ts"
export { AccountRetentionRepository } from "./AccountRetentionRepository.ts"
export { Accounts } from "./Accounts.ts"
export * as AuthRecordRepository from "./AuthRecordRepository.ts"
export * as Sessions from "./Sessions.ts"
export { layer as layerApi } from "./SessionsHandlers.ts"
export { SignInAttempts } from "./SignInAttempts.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(AccountChanges.layer, AccountLimits.layer, Accounts.layer).pipe(
  Layer.provideMerge(SignInAttempts.layer)
)

/** The routes of this feature that are not part of the API's contract. */
export const layerRoutes = AuthRoutes.layer
