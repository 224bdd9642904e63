/** What an auth plugin needs to know of the installation. */
import { Context, type Redacted } from "effect"

export class AuthSettings extends Context.Service<
  AuthSettings,
  {
    /** Address of the API as people reach it, for example `https://kanmon.example.org/api/v1`. */
    readonly apiUrl: string
    /** Keys derived for auth alone; stable over restarts. */
    readonly secret: Redacted.Redacted
    /** Whether strangers may create accounts. */
    readonly signUp: "open" | "closed"
    /** Accounts with these e-mail addresses, in the form of `normalizeEmail`, are admins once the address is verified. */
    readonly adminEmails: ReadonlyArray<string>
  }
>()("@kanmon/core/AuthSettings") {}
