/** Passkeys: keys on a device that sign in without a password, and with the device's own check of who holds it. */
import { UserId } from "@kanmon/domain/Ids"
import { Effect, Option, Schema } from "effect"
import { accountOf, passkeyOf } from "./Shown.ts"
import { is } from "./Conditions.ts"
import { type Desk, unproven } from "./Desk.ts"
import { problem, type Refusal } from "./ProblemResponses.ts"

export const registerOptionsRoute = "/auth/passkey/generate-register-options"
export const registerRoute = "/auth/passkey/verify-registration"
export const signInOptionsRoute = "/auth/passkey/generate-authenticate-options"
export const signInRoute = "/auth/passkey/verify-authentication"
export const listRoute = "/auth/passkey/list-user-passkeys"
export const renameRoute = "/auth/passkey/update-passkey"
export const deleteRoute = "/auth/passkey/delete-passkey"

/** The limit for each account. */
const most = 20

const decodeUserId = Schema.decodeUnknownOption(UserId)

/** A successful answer in another form; its cookies stay. */
const reshaped = (answer: Response, shape: (body: Record<string, unknown>) => unknown): Effect.Effect<Response> =>
  Effect.promise(async () => {
    if (!answer.ok) return answer
    const shown = shape((await answer.json()) as Record<string, unknown>)
    return Response.json(shown, { status: answer.status, headers: answer.headers })
  })

export const make = (
  desk: Desk,
  signedInWith: (request: Request, userId: UserId, method: string) => Effect.Effect<void>
) => {
  const { ask, change, notify, proven, records, signedIn } = desk

  const registerOptions = (request: Request) =>
    proven(
      request,
      Effect.fnUntraced(function* (person) {
        if ((yield* records.count("passkey", [is("userId", person.id)])) >= most) return problem(enough)
        // The query could name the passkey and choose the device; the browser does both.
        const { origin, pathname } = new URL(request.url)
        return (yield* ask(new Request(`${origin}${pathname}`, { headers: request.headers }))).response
      })
    )

  const register = (request: Request, body: { readonly name?: string }) =>
    proven(
      request,
      Effect.fnUntraced(function* (person) {
        const { name = "Passkey" } = body
        const expected = {
          write: "create",
          model: "passkey",
          change: change(person, request, "account.passkey_added", { after: { name } })
        } as const
        const { response } = yield* ask(request, { body: { ...body, name }, expected })
        if (response.ok) yield* notify(person.email, { kind: "passkeyAdded", name }, person)
        return yield* reshaped(response, passkeyOf)
      })
    )

  const signInOptions = Effect.fnUntraced(function* (request: Request) {
    const { response } = yield* ask(request)
    // Better Auth asks devices to verify the person if they can; one that cannot is refused afterwards.
    return yield* reshaped(response, (options) => ({ ...options, userVerification: "required" }))
  })

  const signIn = Effect.fnUntraced(function* (request: Request) {
    const { response } = yield* ask(request)
    if (!response.ok) return response
    const answer = yield* reshaped(response, ({ user }) => ({ user: accountOf(user) }))
    const { user } = (yield* Effect.promise(() => answer.clone().json())) as { readonly user: { readonly id: string } }
    const userId = decodeUserId(user.id)
    if (Option.isSome(userId)) yield* signedInWith(request, userId.value, "passkey")
    return answer
  })

  const list = (request: Request) =>
    signedIn(
      request,
      Effect.fnUntraced(function* (person) {
        const sortBy = { field: "id", direction: "desc" } as const
        const rows = yield* records.find("passkey", [is("userId", person.id)], { sortBy })
        return Response.json(rows.map(passkeyOf))
      })
    )

  /** A passkey of the caller. Passkeys of other accounts are reported as not found. */
  const own = (request: Request, id: string, act: Parameters<typeof ownPasskey>[3]) =>
    ownPasskey(desk, request, id, act)

  const rename = (request: Request, { id = "", name = "" }: { readonly id?: string; readonly name?: string }) =>
    own(request, id, (person, before) => {
      const entry = change(person, request, "account.passkey_renamed", {
        before: { name: before["name"] ?? null },
        after: { name }
      })
      return Effect.flatMap(
        ask(request, { expected: { write: "update", model: "passkey", change: entry } }),
        ({ response }) => reshaped(response, ({ passkey }) => passkeyOf(passkey as Record<string, unknown>))
      )
    })

  const remove = (request: Request, { id = "" }: { readonly id?: string }) =>
    own(request, id, (person, before) => {
      const refusal = unproven(person)
      if (refusal !== undefined) return Effect.succeed(problem(refusal))
      const entry = change(person, request, "account.passkey_deleted", { before: { name: before["name"] ?? null } })
      return Effect.map(
        ask(request, { expected: { write: "remove", model: "passkey", change: entry } }),
        ({ response }) => response
      )
    })

  return { registerOptions, register, signInOptions, signIn, list, rename, remove }
}

const ownPasskey = (
  desk: Desk,
  request: Request,
  id: string,
  act: (
    person: Parameters<Parameters<Desk["signedIn"]>[1]>[0],
    passkey: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Response>
) =>
  desk.signedIn(
    request,
    Effect.fnUntraced(function* (person) {
      const [passkey] = yield* desk.records.find("passkey", [is("id", id), is("userId", person.id)])
      return passkey === undefined ? problem(unknown) : yield* act(person, passkey)
    })
  )

const unknown: Refusal = { code: "not_found", detail: "You have no such passkey" }

const enough: Refusal = { code: "conflict", detail: `An account has at most ${most} passkeys: delete one first` }
