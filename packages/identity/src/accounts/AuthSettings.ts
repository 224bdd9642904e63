/** The installation's settings for signing up and in. */
import { Context, type Redacted } from "effect"

export class AuthSettings extends Context.Service<
  AuthSettings,
  {
    /** Public URL of the installation without a trailing slash, for example `https://example.org/kanmon`. */
    readonly baseUrl: string
    /** Public URL of the API, for example `https://kanmon.example.org/api/v1`. */
    readonly apiUrl: string
    /** Derived for authentication only; stable over restarts. */
    readonly secret: Redacted.Redacted
    /** Whether anyone may create an account. */
    readonly signUp: "open" | "closed"
    /** Accounts with these e-mail addresses (normalized with `normalizeEmail`) become admins once the address is verified. */
    readonly adminEmails: ReadonlyArray<string>
    /** With it the first account becomes an administrator; undefined: only from the machine itself. */
    readonly setupCode?: Redacted.Redacted | undefined
  }
>()("@kanmon/identity/accounts/AuthSettings") {}
