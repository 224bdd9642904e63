/** Contact methods over HTTP: each handler only translates. */
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { ContactMethodNotFound } from "@kanmon/domain/NotFound"
import { Api } from "@kanmon/protocol/Api"
import { basePath } from "@kanmon/protocol/BasePath"
import * as ContactMethodBody from "@kanmon/protocol/ContactMethodBody"
import { CallerUser } from "@kanmon/protocol/Middleware"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import { asProblem } from "@kanmon/platform/http/AsProblem"
import * as Payload from "@kanmon/platform/http/Payload"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ChannelView, wrongCode } from "../channels/index.ts"
import type { AccountMethodFixed, ContactMethodInUse, TooManyContactMethods } from "./ContactMethodErrors.ts"
import * as ContactMethodKinds from "./ContactMethodKinds.ts"
import * as ContactMethodLetters from "./ContactMethodLetters.ts"
import * as ContactMethodMessages from "./ContactMethodMessages.ts"
import type { StoredContactMethod } from "./ContactMethodRecords.ts"
import { ContactMethods, type Entered } from "./ContactMethods.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "contactMethods",
  Effect.fnUntraced(function* (handlers) {
    const methods = yield* ContactMethods
    const messages = yield* ContactMethodMessages.make
    const tell = yield* ContactMethodLetters.make
    const { draftOf, kinds, named } = yield* ContactMethodKinds.make

    const shown = (stored: StoredContactMethod): ContactMethodBody.ContactMethod => {
      const { destination: _, email: __, userId: ___, ...method } = named(stored)
      return { ...method, config: ChannelView.shownConfig(kinds, method) }
    }

    /** The draft of a body, for a new method or for an existing one. */
    const draftIn = (payload: unknown, current?: StoredContactMethod) =>
      draftOf(
        ContactMethodBody.unkeyed(payload, (body) =>
          current === undefined
            ? ChannelView.decode(kinds, body)
            : ChannelView.decodeChange(kinds, { ...named(current), key: null, quietHours: null }, body)
        )
      )

    return handlers.handleAll({
      list: () => Effect.flatMap(CallerUser, ({ userId }) => Effect.map(methods.list(userId), (all) => all.map(shown))),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const person = yield* CallerUser
          const method = named(yield* methods.create(person, yield* draftIn(payload)))
          yield* tell(person, "added", method)
          return shown(yield* messages.invite(method))
        }).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const person = yield* CallerUser
          const id = params.contactMethodId
          const { isReconfigured, method } = yield* methods.update(person, id, (current) => draftIn(payload, current))
          if (!isReconfigured) return shown(method)
          yield* tell(person, "changed", named(method))
          return shown(yield* messages.invite(named(method)))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.gen(function* () {
          const person = yield* CallerUser
          const method = named(yield* methods.remove(person, params.contactMethodId))
          yield* tell(person, "deleted", method)
          return { id: method.id, deleted: true as const }
        }).pipe(refusing),
      confirm: ({ params, payload }) =>
        Effect.gen(function* () {
          const person = yield* CallerUser
          const { code } = yield* codeIn(payload)
          const entered = yield* methods.enter(person, params.contactMethodId, code)
          if (entered._tag !== "Confirmed") return yield* refusal(entered, params.contactMethodId)
          return shown(yield* methods.get(person.userId, params.contactMethodId))
        }).pipe(refusing),
      sendConfirmation: ({ params }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          const method = named(yield* methods.get(userId, params.contactMethodId))
          yield* messages.sendCode(method)
          return shown(method)
        }).pipe(refusing),
      test: ({ params }) =>
        Effect.gen(function* () {
          const { userId } = yield* CallerUser
          return yield* messages.sendTest(named(yield* methods.get(userId, params.contactMethodId)))
        }).pipe(refusing)
    })
  })
)

const codeIn = Payload.read(decodeStrict(ContactMethodBody.Code))

const refusal = (entered: Exclude<Entered, { readonly _tag: "Confirmed" }>, id: string) =>
  entered._tag === "Wrong" && entered.guessesLeft > 0
    ? invalid([wrongCode(entered.guessesLeft)])
    : new Problem({
        code: "conflict",
        detail: `No code is valid; POST ${basePath}/account/contact-methods/${id}/confirmation sends a new one`
      })

const refusing = asProblem({
  ContactMethodNotFound: (_: ContactMethodNotFound) => notFound("contact method"),
  TooManyContactMethods: ({ limit }: TooManyContactMethods) =>
    new Problem({
      code: "conflict",
      detail: `The account has ${limit} contact methods, and can have no more; delete one that is not needed`
    }),
  ContactMethodInUse: ({ severities }: ContactMethodInUse) =>
    new Problem({
      code: "conflict",
      detail: `The notification rules for ${severities.join(", ")} use this contact method; take it out of them first`
    }),
  AccountMethodFixed: (_: AccountMethodFixed) =>
    new Problem({
      code: "conflict",
      detail: "This is the e-mail address of the account: it changes with the account, and is always there"
    })
})
