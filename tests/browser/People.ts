/** The product with real mail, and people who meet it in browsers of their own. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, type Scope } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import * as MailWorld from "../../plugins/notify-email/test/MailWorld.ts"
import * as Browser from "../support/Browser.ts"
import * as Product from "../support/Product.ts"
import { password } from "./Account.ts"
import { wrongIn } from "./EveryLook.ts"
import { unhurried } from "./Installation.ts"
import { picture } from "./Look.ts"

export { password }

/** Somebody with a browser profile of their own. */
export interface Person {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens an address of the product. */
  readonly open: (address: string) => Promise<void>
  /** Holds the page against the rules of every page in every look, and keeps pictures of it. */
  readonly look: (name: string) => Promise<void>
}

export class People extends Context.Service<
  People,
  {
    readonly origin: string
    readonly product: Product.Product
    /** The newest mail to an address with this subject, once it is there. */
    readonly mailTo: (address: string, subject: RegExp) => Promise<string>
    /** The link in that mail. */
    readonly linkTo: (address: string, subject: RegExp) => Promise<string>
  }
>()("@kanmon/tests/browser/People") {}

/** `settings` may need services that live as long as the product. */
export const layer = (
  settings: Effect.Effect<Readonly<Record<string, string>>, never, Scope.Scope> = Effect.succeed({})
) =>
  Layer.effect(
    People,
    Effect.gen(function* () {
      const mail = yield* MailWorld.start()
      const product = yield* Product.make({
        withoutNats: true,
        host: "localhost",
        env: {
          ...mail.settings,
          ...unhurried,
          ...(yield* settings)
        }
      })
      yield* product.healthy
      const mailTo = (address: string, subject: RegExp): Promise<string> =>
        Effect.runPromise(
          Effect.map(
            Product.eventually(
              Effect.sync(() =>
                mail
                  .mails()
                  .findLast(
                    ({ envelope, parsed }) => envelope.to.includes(address) && subject.test(parsed.subject ?? "")
                  )
              ),
              (found) => found !== undefined
            ),
            (found) => found!.parsed.text ?? ""
          )
        )
      return People.of({
        origin: product.settings["KANMON_BASE_URL"]!,
        product,
        mailTo,
        linkTo: async (address, subject) => /https?:\/\/\S+token=\S+/.exec(await mailTo(address, subject))![0]
      })
    })
  ).pipe(Layer.merge(Browser.Browser.layer))

/** Holds a page against the rules of every page in every look, and keeps pictures of it. */
export const look = async (page: Page, name: string): Promise<void> => {
  const wrong = await wrongIn(page, (seen) => picture(page, `people ${name} ${seen}`))
  assert.deepStrictEqual(wrong, [], name)
}

const person = async (context: BrowserContext, origin: string): Promise<Person> => {
  const page = await context.newPage()
  return {
    page,
    context,
    open: async (address) => void (await page.goto(`${origin}${address}`)),
    look: (name) => look(page, name)
  }
}

/** One person walks through the product; nothing may fail in the page on the way. */
export const walk = (read: (person: Person, people: People["Service"]) => Promise<void>) =>
  Effect.gen(function* () {
    const people = yield* People
    yield* Browser.visit({}, async (context) => read(await person(context, people.origin), people))
  })

/** Two people who look at the same product. */
export const walkTogether = (read: (one: Person, other: Person, people: People["Service"]) => Promise<void>) =>
  Effect.gen(function* () {
    const people = yield* People
    yield* Browser.visit({}, async (context) => {
      const other = await context.browser()!.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 } })
      other.setDefaultTimeout(Browser.patience)
      try {
        await read(await person(context, people.origin), await person(other, people.origin), people)
      } finally {
        await other.close()
      }
    })
  })

/** Signs up on the page, and stands on the first page then. */
export const signUp = async ({ open, page }: Person, name: string, email: string): Promise<void> => {
  await open("/sign-up")
  await page.getByRole("textbox", { name: "Your name" }).fill(name)
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
  await page.getByRole("button", { name: "Create account" }).click()
  await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
}

/** Follows the link that verifies the address. */
export const verify = async ({ page }: Person, { linkTo, origin }: People["Service"], email: string): Promise<void> => {
  await page.goto(await linkTo(email, /verify/i))
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Verify" }).click()
  await page.getByText("Your address is verified").first().waitFor()
  await page.goto(`${origin}/`)
}

/** Signs in with the password, on the page that is open. */
export const fillSignIn = async ({ page }: Person, email: string, secret = password): Promise<void> => {
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(secret)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

export const signOut = async ({ page }: Person): Promise<void> => {
  await page.getByRole("button", { name: /Account and appearance/ }).click()
  await page.getByRole("menuitem", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in to Kanmon" }).waitFor()
}

/** Calls the API as somebody, in the browser of theirs. */
export const call = async (
  { context }: Person,
  { origin }: People["Service"],
  method: string,
  route: string,
  data?: unknown
): Promise<any> => {
  const answer = await context.request.fetch(`${origin}/api/v1${route}`, {
    method,
    headers: { origin },
    ...(data === undefined ? {} : { data })
  })
  assert.isTrue(answer.ok(), `${method} ${route}: ${await answer.text()}`)
  return answer.json()
}

/** Invites a new person into the organization of the inviter's first project; their browser is signed in then. */
export const join = async (
  inviter: Person,
  invited: Person,
  people: People["Service"],
  { email, name, role }: { readonly email: string; readonly name: string; readonly role: string }
): Promise<void> => {
  const [{ organizationId }] = await call(inviter, people, "GET", "/projects")
  await call(inviter, people, "POST", `/organizations/${organizationId}/invitations`, { email, role })
  const invitation = new URL(await people.linkTo(email, /invit/i)).searchParams.get("token")
  await call(invited, people, "POST", "/auth/sign-up/email", { email, name, password, invitation })
}

/** Shows the open page in another language, with a picture of it on a desktop and a phone once this text is there. */
export const lookIn = async (
  { look, page }: Person,
  language: "de" | "ja",
  name: string,
  text: string
): Promise<void> => {
  const speak = (wanted: string) => page.evaluate((locale) => localStorage.setItem("kanmon.locale", locale), wanted)
  await speak(language)
  await page.reload()
  await page.getByText(text).first().waitFor()
  await look(`${name}, ${language}`)
  await speak("en")
  await page.reload()
}
