/** The API with a real mail server behind it, or with a console that is read: what people received, and the links in it. */
import { eventually } from "@kanmon/testkit/Eventually"
import { Context, Effect, Layer } from "effect"
import * as MailWorld from "../../../plugins/notify-email/test/MailWorld.ts"
import { layer as server, type Options } from "./Server.ts"

/** The mail server on loopback. */
export class Mails extends Context.Service<Mails, MailWorld.MailDestination>()("@kanmon/tests/Mails") {}

/** The API, which sends its mail to `Mails`. */
export const withMail = (options: Options = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const mail = yield* MailWorld.start()
      return server({ ...options, operator: new Map([["email", mail.settings!]]) }).pipe(
        Layer.merge(Layer.succeed(Mails, mail))
      )
    })
  )

/** What the server printed. */
export class Printed extends Context.Service<Printed, Array<string>>()("@kanmon/tests/Printed") {}

/** The API without mail, whose console is kept. */
export const withConsole = (options: Options = {}) =>
  Layer.unwrap(
    Effect.sync(() => {
      const lines: Array<string> = []
      return Layer.merge(server({ ...options, print: (line) => void lines.push(line) }), Layer.succeed(Printed, lines))
    })
  )

const found = <A>(look: () => A | undefined): Effect.Effect<A> =>
  eventually(
    Effect.suspend(() => {
      const seen = look()
      return seen === undefined ? Effect.fail("nothing of the kind") : Effect.succeed(seen)
    })
  )

/** The newest mail to an address, once there are as many as `count`; about `subject` if it is given. */
export const mailTo = (address: string, { count = 1, subject }: { count?: number; subject?: RegExp } = {}) =>
  Effect.flatMap(Mails, (mails) =>
    found(() => {
      const all = mails
        .mails()
        .filter(({ envelope, parsed }) => envelope.to[0] === address && (subject?.test(parsed.subject ?? "") ?? true))
      return all.length < count ? undefined : all.at(-1)
    })
  )

/** The link in a mail. */
export const linkIn = (text: string): URL => new URL(/https?:\/\/\S+\?token=\S+/.exec(text)![0])

/** The newest link to an address. */
export const linkTo = (address: string, options?: { count?: number; subject?: RegExp }) =>
  Effect.map(mailTo(address, options), ({ parsed }) => linkIn(parsed.text!))

/** The newest block on the console for an address. */
export const printedFor = (address: string) =>
  Effect.flatMap(Printed, (lines) =>
    found(() => lines.findLast((line) => line.includes(`This would go to ${address}:`)))
  )
