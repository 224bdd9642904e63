/** Operations on the account, its sessions and the ways to sign in. */
import { request } from "../../api/request.ts"
import type { Parts } from "../../api/routes.ts"
import { forget, sessionQuery } from "../../api/session.ts"
import { useWrite } from "../../api/write.ts"
import type { Locale } from "../../locales/text.ts"
import { passkeysQuery, sessionsQuery } from "./queries.ts"
import { type Choice, chooseCredential, makeCredential } from "./webauthn.ts"

export const useSignIn = () =>
  useWrite({
    send: (body: Parts<"POST /auth/sign-in/email">["body"]) => request("POST /auth/sign-in/email", { body })
  })

export const useSignInWithPasskey = () =>
  useWrite({
    send: async (choice: Choice) => {
      const options = await request("GET /auth/passkey/generate-authenticate-options", { signal: choice.signal })
      const response = await chooseCredential(options, choice)
      await request("POST /auth/passkey/verify-authentication", { body: { response } })
    }
  })

/** The address of the identity provider that signs in. */
export const useSignOn = () =>
  useWrite({ send: (body: Parts<"POST /auth/sign-in/sso">["body"]) => request("POST /auth/sign-in/sso", { body }) })

export const useSignUp = () =>
  useWrite({
    send: (body: Parts<"POST /auth/sign-up/email">["body"]) => request("POST /auth/sign-up/email", { body })
  })

/** The second step of a sign-in. */
export const useVerifyCode = () =>
  useWrite({
    send: ({
      isBackup,
      ...body
    }: Parts<"POST /auth/two-factor/verify-totp">["body"] & { readonly isBackup: boolean }) =>
      request(isBackup ? "POST /auth/two-factor/verify-backup-code" : "POST /auth/two-factor/verify-totp", { body })
  })

/** Proves a recent presence, for a request that gives lasting access. */
export const useProve = () =>
  useWrite({ send: (password: string) => request("POST /auth/prove", { body: { password } }) })

export const useRequestReset = () =>
  useWrite({ send: (email: string) => request("POST /auth/request-password-reset", { body: { email } }) })

export const useResetPassword = () =>
  useWrite({
    send: (body: Parts<"POST /auth/reset-password">["body"]) => request("POST /auth/reset-password", { body })
  })

/** A new password may end other sessions. */
export const useChangePassword = () =>
  useWrite({
    send: (body: Parts<"POST /auth/change-password">["body"]) => request("POST /auth/change-password", { body }),
    stale: [sessionsQuery.queryKey]
  })

export const useUpdateAccount = () =>
  useWrite({
    send: (body: Parts<"POST /auth/update-user">["body"]) => request("POST /auth/update-user", { body }),
    stale: [sessionQuery.queryKey]
  })

/** Keeps the language of mails. A refusal changes nothing that is shown. */
export const useKeepLanguage = () =>
  useWrite({
    send: (locale: Locale) => request("POST /auth/update-user", { body: { locale } }).catch(() => undefined)
  })

export const useChangeEmail = () =>
  useWrite({ send: (newEmail: string) => request("POST /auth/change-email", { body: { newEmail } }) })

export const useResendVerification = () => useWrite({ send: () => request("POST /auth/send-verification-email") })

export const useDeleteAccount = (leave: () => unknown) =>
  useWrite({
    send: (body: Parts<"DELETE /account">["body"]) => request("DELETE /account", { body }),
    learn: async (client) => {
      forget(client)
      await leave()
    }
  })

/** Ends what an administrator does as somebody else. */
export const useStopImpersonation = () => useWrite({ send: () => request("DELETE /account/impersonation") })

export const useEndSession = () =>
  useWrite({
    send: (sessionId: string) => request("DELETE /account/sessions/:sessionId", { params: { sessionId } }),
    stale: [sessionsQuery.queryKey]
  })

export const useEndOtherSessions = () =>
  useWrite({ send: () => request("DELETE /account/sessions"), stale: [sessionsQuery.queryKey] })

export const useAddPasskey = () =>
  useWrite({
    send: async (name: string) => {
      const optionsJSON = await request("GET /auth/passkey/generate-register-options")
      const response = await makeCredential({ optionsJSON })
      await request("POST /auth/passkey/verify-registration", { body: { name, response } })
    },
    stale: [passkeysQuery.queryKey]
  })

export const useRenamePasskey = () =>
  useWrite({
    send: (body: Parts<"POST /auth/passkey/update-passkey">["body"]) =>
      request("POST /auth/passkey/update-passkey", { body }),
    stale: [passkeysQuery.queryKey]
  })

export const useRemovePasskey = () =>
  useWrite({
    send: (id: string) => request("POST /auth/passkey/delete-passkey", { body: { id } }),
    stale: [passkeysQuery.queryKey]
  })

/** Begins a second factor. It is on when a code of it is verified. */
export const useEnrol = () =>
  useWrite({ send: (password: string) => request("POST /auth/two-factor/enable", { body: { password } }) })

export const useSwitchOnSecondFactor = () =>
  useWrite({
    send: (code: string) => request("POST /auth/two-factor/verify-totp", { body: { code } }),
    stale: [sessionQuery.queryKey]
  })

export const useSwitchOffSecondFactor = () =>
  useWrite({
    send: (password: string) => request("POST /auth/two-factor/disable", { body: { password } }),
    stale: [sessionQuery.queryKey]
  })

export const useRenewBackupCodes = () =>
  useWrite({
    send: (password: string) => request("POST /auth/two-factor/generate-backup-codes", { body: { password } })
  })
