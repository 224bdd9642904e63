/** The sessions of accounts, as auth plugins ask for them. Database failures are defects. */
import type { User } from "@kanmon/domain/Principal"
import { Context, type Effect, type Option } from "effect"
import type { AuthError } from "./AuthError.ts"

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The account of a browser's session, by the header `Cookie`; `none` without the cookie of a session of this installation. */
    readonly ofCookies: (cookies: string) => Effect.Effect<Option.Option<User>, AuthError>
    /** The account of a program's session, by its token. */
    readonly ofToken: (token: string) => Effect.Effect<User, AuthError>
  }
>()("@kanmon/core/Sessions") {}
