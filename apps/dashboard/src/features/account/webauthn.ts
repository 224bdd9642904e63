/** Passkeys of this browser. The API speaks JSON with base64url (WebAuthn 3), browsers speak buffers. */
import { ApiError, reasonOf } from "../../api/problem.ts"
import type { Descriptor, RegistrationOptions, SignInOptions } from "../../api/passkeys.ts"
import { createPasskey, findPasskey } from "../../browser/secure.ts"
import { t } from "../../locales/text.ts"

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))

const encode = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const descriptor = ({ id, ...rest }: Descriptor): PublicKeyCredentialDescriptor => ({ ...rest, id: decode(id) })

/** The failure in words; undefined if the visitor cancelled. */
export const passkeyProblem = (error: unknown): string | undefined => {
  if (error instanceof ApiError) return error.message
  const name = error instanceof Error ? error.name : ""
  if (name === "NotAllowedError" || name === "AbortError") return undefined
  if (name === "InvalidStateError") return t("This device has a passkey for your account already.")
  return reasonOf(error)
}

/** Makes a passkey on this device; the answer is what the API keeps of it. */
export const makeCredential = async ({
  challenge,
  excludeCredentials = [],
  user,
  ...rest
}: RegistrationOptions): Promise<object> => {
  const made = await createPasskey({
    ...rest,
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor)
  })
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: made.id,
    rawId: encode(made.rawId),
    type: made.type,
    clientExtensionResults: made.getClientExtensionResults(),
    ...(made.authenticatorAttachment === null ? {} : { authenticatorAttachment: made.authenticatorAttachment }),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports()
    }
  }
}

export interface Choice {
  readonly mediation?: CredentialMediationRequirement
  readonly signal?: AbortSignal
  /** The visitor has chosen one. Failures from now on are shown. */
  readonly onChosen?: () => void
}

/** Proves a passkey that the visitor chooses: in a dialog of the browser, or among the suggestions of the field. */
export const chooseCredential = async (
  { allowCredentials = [], challenge, ...rest }: SignInOptions,
  { onChosen, ...options }: Choice
): Promise<object> => {
  const chosen = await findPasskey({
    ...options,
    publicKey: { ...rest, challenge: decode(challenge), allowCredentials: allowCredentials.map(descriptor) }
  })
  onChosen?.()
  const response = chosen.response as AuthenticatorAssertionResponse
  return {
    id: chosen.id,
    rawId: encode(chosen.rawId),
    type: chosen.type,
    clientExtensionResults: chosen.getClientExtensionResults(),
    ...(chosen.authenticatorAttachment === null ? {} : { authenticatorAttachment: chosen.authenticatorAttachment }),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      ...(response.userHandle === null ? {} : { userHandle: encode(response.userHandle) })
    }
  }
}
