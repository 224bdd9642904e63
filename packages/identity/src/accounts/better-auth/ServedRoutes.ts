/** The routes of accounts that are served, and what is asked of their callers. */
import * as Address from "./AddressRoutes.ts"
import * as DeviceAuthorization from "./DeviceAuthorization.ts"
import * as ImpersonationLink from "./ImpersonationLink.ts"
import * as Passkey from "./PasskeyRoutes.ts"
import * as Password from "./PasswordRoutes.ts"
import * as Profile from "./ProfileRoutes.ts"
import * as SecondFactor from "./SecondFactorRoutes.ts"

export const signUpRoute = "/auth/sign-up/email"
export const signInRoute = "/auth/sign-in/email"
export const signOutRoute = "/auth/sign-out"
export const sessionRoute = "/auth/get-session"

/** The routes and their methods; all other features of Better Auth are disabled. */
export const served: Readonly<Record<string, ReadonlyArray<string>>> = {
  [signUpRoute]: ["POST"],
  [signInRoute]: ["POST"],
  [signOutRoute]: ["POST"],
  [sessionRoute]: ["GET"],
  [Profile.methodsRoute]: ["GET"],
  [Profile.updateRoute]: ["POST"],
  [Address.sendVerificationRoute]: ["POST"],
  [Address.verifyRoute]: ["GET", "POST"],
  [Address.changeRoute]: ["POST"],
  [Address.confirmRoute]: ["GET", "POST"],
  [Password.requestReset]: ["POST"],
  [Password.reset]: ["POST"],
  [Password.changePassword]: ["POST"],
  [Password.prove]: ["POST"],
  [SecondFactor.enableRoute]: ["POST"],
  [SecondFactor.disableRoute]: ["POST"],
  [SecondFactor.uriRoute]: ["POST"],
  [SecondFactor.codesRoute]: ["POST"],
  [SecondFactor.verifyRoute]: ["POST"],
  [SecondFactor.backupRoute]: ["POST"],
  [Passkey.registerOptionsRoute]: ["GET"],
  [Passkey.registerRoute]: ["POST"],
  [Passkey.signInOptionsRoute]: ["GET"],
  [Passkey.signInRoute]: ["POST"],
  [Passkey.listRoute]: ["GET"],
  [Passkey.renameRoute]: ["POST"],
  [Passkey.deleteRoute]: ["POST"],
  [ImpersonationLink.linkRoute]: ["GET", "POST"],
  ...DeviceAuthorization.served
}

/** Routes of people who are signed in: others are told to sign in, not what their body lacks. */
export const personal: ReadonlySet<string> = new Set([
  Profile.updateRoute,
  Address.changeRoute,
  Password.changePassword,
  Password.prove,
  SecondFactor.enableRoute,
  SecondFactor.disableRoute,
  SecondFactor.uriRoute,
  SecondFactor.codesRoute,
  Passkey.registerRoute,
  Passkey.renameRoute,
  Passkey.deleteRoute
])

/** Routes that change how people sign in, with no more proof than a session. */
export const forAccounts: ReadonlySet<string> = new Set([
  Passkey.registerOptionsRoute,
  Passkey.registerRoute,
  Passkey.renameRoute,
  Passkey.deleteRoute
])
