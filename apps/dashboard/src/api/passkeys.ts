/** Options of passkeys as JSON (WebAuthn 3, section 5.1). */

export interface Descriptor {
  readonly id: string
  readonly type: "public-key"
  readonly transports?: Array<AuthenticatorTransport>
}

export interface RegistrationOptions extends Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials" | "extensions"
> {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: ReadonlyArray<Descriptor>
}

export interface SignInOptions extends Omit<
  PublicKeyCredentialRequestOptions,
  "challenge" | "allowCredentials" | "extensions"
> {
  readonly challenge: string
  readonly allowCredentials?: ReadonlyArray<Descriptor>
}
