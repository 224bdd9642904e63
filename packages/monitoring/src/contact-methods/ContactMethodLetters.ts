/** Mails people at their account's address about changes of their contact methods, from any session. */
import { idFrom } from "@kanmon/domain/Ids"
import { localeFor } from "@kanmon/domain/Locale"
import { AuthRecords } from "@kanmon/identity/accounts"
import * as Mails from "@kanmon/identity/mails"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Catalogue } from "@kanmon/core/PluginHost"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Person } from "./ContactMethodAudit.ts"
import type { ContactMethod } from "./ContactMethodRecords.ts"

export const make = Effect.gen(function* () {
  const records = yield* AuthRecords
  const mailer = yield* Mails.Mailer
  const { baseUrl } = yield* ApiSettings
  const { channels: kinds } = yield* Catalogue
  const random = yield* SecureRandom.SecureRandom

  /** Sends the mail in the background: the change has happened, whether it can be told or not. */
  return Effect.fn("ContactMethodLetters.tell")(function* (
    { email, userId }: Person,
    change: "added" | "changed" | "deleted",
    { name, type }: Pick<ContactMethod, "name" | "type">
  ) {
    const [user] = yield* records.find("user", [
      { field: "id", operator: "eq", value: userId, connector: "AND", insensitive: false }
    ])
    const zone = user?.["timezone"]
    const message = Mails.compose(
      { kind: "contactMethodChanged", change, name, type: kinds.get(type)?.title ?? type },
      {
        id: idFrom("msg", yield* random.ulid),
        baseUrl,
        locale: localeFor(user?.["locale"]),
        happened: { at: yield* Clock.currentTimeMillis, zone: typeof zone === "string" ? zone : null }
      }
    )
    yield* Effect.forkDetach(
      Effect.catchCause(mailer.send(email, message, "notice"), (cause) =>
        Effect.logWarning("A mail about a contact method could not be sent", cause)
      )
    )
  })
})
