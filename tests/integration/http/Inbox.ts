/** The API with a real mail server and a double of Twilio behind it: what the receivers of mails and text messages got. */
import * as Targets from "@kanmon/testkit/Targets"
import { Context, Effect, Layer } from "effect"
import * as MailWorld from "../../../plugins/notify-email/test/MailWorld.ts"
import { layer as server, type Options } from "./Server.ts"

/** Where mails and text messages arrive. */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly mail: MailWorld.MailDestination
    /** The forms that were sent to Twilio. */
    readonly phone: () => ReadonlyArray<Readonly<Record<string, string>>>
  }
>()("@kanmon/tests/Inbox") {}

/** The API, which sends mails, text messages and calls to `Inbox`; the latter from this number. */
export const withInbox = (options: Options = {}, from = "+15005550006") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const mail = yield* MailWorld.start()
      const target = yield* Targets.http(
        Targets.answer({ status: 201, body: JSON.stringify({ sid: "SM1", status: "queued" }) })
      )
      const twilio = {
        TWILIO_ACCOUNT_SID: `AC${"0123456789abcdef".repeat(2)}`,
        TWILIO_AUTH_TOKEN: "token",
        TWILIO_FROM: from,
        TWILIO_API_BASE: target.url
      }
      const operator = new Map<string, object>([
        ["email", mail.settings!],
        ["sms", twilio],
        ["phone", twilio]
      ])
      const phone = () => target.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
      return server({ operator, ...options }).pipe(Layer.merge(Layer.succeed(Inbox, { mail, phone })))
    })
  )

/** The code in a message. */
export const codeIn = (text: string | undefined): string => /\b(\d{6})\b/.exec(text ?? "")?.[1] ?? "none"

/** Another code. */
export const wrong = (code: string): string => (code === "000000" ? "000001" : "000000")
