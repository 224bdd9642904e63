/** Passkeys of this browser (WebAuthn 3). The library translates between the JSON of the API and the buffers of browsers. */
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnAbortService
} from "@simplewebauthn/browser"
import { ApiError, reasonOf } from "../../api/problem.ts"
import { t } from "../../locales/text.ts"

export { startRegistration as makeCredential } from "@simplewebauthn/browser"

/** The failure in words; undefined if the visitor cancelled. */
export const passkeyProblem = (error: unknown): string | undefined => {
  if (error instanceof ApiError) return error.message
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return undefined
  if (name === "InvalidStateError") return t("This device has a passkey for your account already.")
  return reasonOf(error)
}

export interface Choice {
  /** Among the suggestions of the address field instead of in a dialog of the browser. */
  readonly isSuggested?: boolean
  readonly signal?: AbortSignal
  /** The visitor has chosen one. Failures from now on are shown. */
  readonly onChosen?: () => void
}

/** Proves a passkey that the visitor chooses. A further choice ends the one that waits. */
export const chooseCredential = async (
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  { isSuggested = false, onChosen, signal }: Choice
): Promise<AuthenticationResponseJSON> => {
  signal?.throwIfAborted()
  const end = () => WebAuthnAbortService.cancelCeremony()
  signal?.addEventListener("abort", end)
  try {
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: isSuggested })
    onChosen?.()
    return response
  } finally {
    signal?.removeEventListener("abort", end)
  }
}
