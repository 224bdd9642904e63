/** Sign-outs that the account requests, with their audit entries. */
import type { AuthRecord } from "../../users/index.ts"
import { UserId } from "@kanmon/domain/Ids"
import { Effect, Option, Schema } from "effect"
import { is } from "./Conditions.ts"
import type { Desk } from "./Desk.ts"
import type { ProgramSessions } from "./ProgramSessions.ts"

const decodeUserId = Schema.decodeUnknownOption(UserId)

export const make = ({ change, changes, records }: Desk) => {
  const whose = (user: AuthRecord | undefined) =>
    Option.map(decodeUserId(user?.["id"]), (id) => ({ id, email: String(user?.["email"]) }))

  /** Ends the session of an account. */
  const own = <A>(request: Request, user: AuthRecord, ending: Effect.Effect<A>): Effect.Effect<A> =>
    Option.match(whose(user), {
      onNone: () => ending,
      onSome: (account) => changes.record(change(account, request, "account.signed_out"), ending)
    })

  /** Ends the session of a program, by its token. */
  const program = Effect.fnUntraced(function* (request: Request, programs: ProgramSessions, token: string) {
    const found = yield* programs.find(token)
    if (found !== undefined) yield* own(request, found.user, programs.end(token))
    return Response.json({ success: true })
  })

  /** Ends the session in which an administrator acts as an account. */
  const acting = Effect.fnUntraced(function* (
    request: Request,
    session: { readonly userId: string; readonly impersonatedBy: string },
    ending: Effect.Effect<Response>
  ) {
    const [user] = yield* records.find("user", [is("id", session.userId)], { limit: 1 })
    const [administrator] = yield* records.find("user", [is("id", session.impersonatedBy)], { limit: 1 })
    const [account, by] = [whose(user), whose(administrator)]
    if (Option.isNone(account) || Option.isNone(by)) return yield* ending
    const entry = change(account.value, request, "account.impersonation_ended")
    return yield* changes.record({ ...entry, by: by.value }, ending)
  })

  return { own, program, acting }
}
