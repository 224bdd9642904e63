/**
 * Two people from the first sign-up to the last sign-out, in browsers of their own: mail by SMTP, single sign-on at a real provider
 * of OpenID Connect with pages of its own, the domain proven in a real DNS.
 */
import { assert, describe, layer } from "@effect/vitest"
import { dns } from "@kanmon/testkit/DnsTarget"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import * as OidcProvider from "../support/OidcProvider.ts"
import * as People from "./People.ts"

/** The identity provider, and the TXT records of the world. */
class Outside extends Context.Service<
  Outside,
  {
    readonly provider: OidcProvider.OidcProvider
    readonly publish: (name: string, value: string) => void
    readonly server: string
  }
>()("@kanmon/tests/browser/Outside") {
  static readonly layer = Layer.effect(
    Outside,
    Effect.gen(function* () {
      const provider = yield* OidcProvider.make([], { pages: true })
      const records = new Map<string, string>()
      const { server } = yield* dns((name, type) => {
        const value = records.get(name)
        return type === "TXT" && value !== undefined ? [{ name, type: "TXT", ttl: 1, data: value }] : "nxdomain"
      })
      return Outside.of({ provider, server, publish: (name, value) => void records.set(name, value) })
    })
  )
}

const world = Layer.unwrap(
  Effect.map(Outside, ({ server }) => People.layer(Effect.succeed({ KANMON_DNS_RESOLVER: server })))
).pipe(Layer.provideMerge(Outside.layer))

/** The text beside a label, to copy. */
const copied = (page: Page, label: string): Promise<string> =>
  page.getByText(label, { exact: true }).locator("xpath=..").locator("code").innerText()

/** Signs in on the pages of the provider, and agrees there. */
const signInAtProvider = async (page: Page, name: string): Promise<void> => {
  await page.getByPlaceholder("Enter any login").fill(name)
  await page.getByPlaceholder("and password").fill("a password of the provider")
  await page.getByRole("button", { name: "Sign-in" }).click()
  await page.getByText("scopes:").waitFor()
  await page.getByRole("button", { name: "Continue" }).click()
}

describe.skipIf(Browser.skipped)(`people with single sign-on${Browser.note}`, () => {
  layer(world, { excludeTestServices: true })((it) => {
    it.effect("lead from signing up to a colleague who signs in at work, gets another role, and is removed", () =>
      Effect.flatMap(Outside, ({ provider, publish }) =>
        People.walkTogether(async (ada, ben, people) => {
          await People.signUp(ada, "Ada Lovelace", "ada@acme.example")
          await People.verify(ada, people, "ada@acme.example")
          await ada.open("/settings/organization")
          await ada.page.getByRole("textbox", { name: "Name" }).fill("Acme")
          await ada.page.getByRole("button", { name: "Save" }).click()

          await ada.page.getByRole("link", { name: "Single sign-on" }).click()
          provider.register(await copied(ada.page, "Redirect URI"))
          await ada.page.getByRole("textbox", { name: "Issuer" }).fill("http://127.0.0.1:9")
          await ada.page.getByRole("textbox", { name: "Client ID" }).fill(provider.clientId)
          await ada.page.getByRole("textbox", { name: "Client secret" }).fill(provider.clientSecret)
          await ada.look("sign-on, set up")
          await ada.page.getByRole("textbox", { name: "Issuer" }).fill(provider.issuer)
          await ada.page.getByRole("textbox", { name: "Scopes" }).fill("email profile groups")
          await ada.page.getByRole("button", { name: /People in none of these groups/ }).click()
          await ada.page.getByRole("option", { name: "May not sign in" }).click()
          await ada.page.getByText("Members can sign in with it").click()
          await ada.page.getByRole("button", { name: "Save" }).click()
          await ada.page.getByText("Saved.").waitFor()

          await ada.page.getByRole("textbox", { name: "Domain" }).fill("acme.example")
          await ada.page.getByRole("button", { name: "Add the domain" }).click()
          await ada.page.getByRole("button", { name: "Check now: acme.example" }).click()
          await ada.page.getByText(/^No TXT record _kanmon-sso\.acme\.example/).waitFor()
          await ada.look("sign-on, domain not proven")
          publish(await copied(ada.page, "Name"), await copied(ada.page, "Value"))
          await ada.page.getByRole("button", { name: "Check now: acme.example" }).click()
          await ada.page.getByText(/^Proven/).waitFor()

          const ben1 = {
            sub: "ben.at.work",
            email: "ben@acme.example",
            email_verified: true,
            name: "Ben at work",
            groups: ["night shift"]
          }
          provider.know(ben1)
          await ada.page.getByRole("link", { name: "Members" }).click()
          await ada.page.getByRole("button", { name: "Invite people" }).click()
          const dialog = ada.page.getByRole("dialog")
          await dialog.getByRole("textbox", { name: "E-mail addresses" }).fill(ben1.email)
          await dialog.getByRole("button", { name: /Role/ }).click()
          await ada.page.getByRole("option", { name: /^Editor/ }).click()
          await dialog.getByRole("button", { name: "Invite" }).click()
          await ada.page.getByRole("list", { name: "Invitations" }).getByText(ben1.email).waitFor()

          // The test shows everything that the provider says, and signs nobody in.
          await ada.page.getByRole("link", { name: "Single sign-on" }).click()
          const opening = ada.context.waitForEvent("page")
          await ada.page.getByRole("button", { name: "Test the sign-in" }).click()
          const tab = await opening
          await signInAtProvider(tab, ben1.sub)
          await tab.getByRole("heading", { name: "The test sign-in succeeded" }).waitFor()
          const told = await tab.locator("body").innerText()
          for (const claim of [ben1.sub, ben1.email, ben1.name, "night shift", provider.issuer, "with the role editor"])
            assert.include(told, claim)
          await People.look(tab, "sign-on, test")
          await tab.close()
          await ada.page.reload()
          await ada.page.getByText("Require it for the addresses of your domains").click()
          await ada.page.getByText(/^You have no second factor/).waitFor()
          await ada.page.getByRole("button", { name: "Save" }).click()
          await ada.page.getByText("Saved.").waitFor()
          await ada.page.getByRole("button", { name: "New token" }).click()
          await ada.page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Entra ID")
          await ada.look("sign-on, new token")
          await ada.page.getByRole("dialog").getByRole("button", { name: "Create token" }).click()
          await ada.page.getByText("Copy the token Entra ID now: it is not shown again.").waitFor()
          await ada.page.getByRole("list", { name: "Tokens" }).getByText("Never used").waitFor()
          await ada.look("sign-on")
          const token = await copied(ada.page, "Copy the token Entra ID now: it is not shown again.")
          const address = await copied(ada.page, "Base URL")
          const provision = (userName: string) =>
            ada.page.request.post(`${people.origin}${new URL(address).pathname}/Users`, {
              headers: { authorization: `Bearer ${token}` },
              data: { userName, displayName: "Cleo Provisioned", active: true }
            })
          const cleo = await provision("cleo@acme.example")
          assert.strictEqual(cleo.status(), 201)
          // A group of the identity provider gives her a role.
          const api = `${people.origin}/api/v1`
          const [{ id }] = await (await ada.page.request.get(`${api}/organizations`)).json()
          const { connection } = await (await ada.page.request.get(`${api}/organizations/${id}/sso`)).json()
          const mapped = await ada.page.request.put(`${api}/organizations/${id}/sso`, {
            headers: { origin: people.origin },
            data: { ...connection, roles: [{ group: "staff", role: "responder" }] }
          })
          assert.strictEqual(mapped.status(), 200)
          const group = await ada.page.request.post(`${people.origin}${new URL(address).pathname}/Groups`, {
            headers: { authorization: `Bearer ${token}` },
            data: { displayName: "staff", members: [{ value: (await cleo.json()).id }] }
          })
          assert.strictEqual(group.status(), 201)

          // Ben is led from the invitation to the provider, whatever he tries first.
          await ben.page.goto(await people.linkTo(ben1.email, /invit/i))
          await ben.page.getByRole("textbox", { name: "Your name" }).fill("Ben")
          await ben.page.getByRole("textbox", { name: "Password" }).fill(People.password)
          await ben.page.getByRole("button", { name: "Create account" }).click()
          await ben.page.getByText("Your organization requires its own sign-in for this address.").waitFor()
          await ben.look("invitation, sign-on required")
          await ben.page.getByRole("button", { name: "Continue" }).click()
          await signInAtProvider(ben.page, ben1.sub)
          await ben.page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
          await ben.page.getByRole("button", { name: /^Ben at work, / }).waitFor()
          await ben.open("/incidents")
          const newIncident = ben.page.getByRole("link", { name: "New incident" })
          await newIncident.waitFor()

          // The members' page knows him, and whom the identity provider provisioned; another role takes the button away in his open page.
          await ada.page.getByRole("link", { name: "Members" }).click()
          await ada.page.getByText("provisioned by the directory").waitFor()
          await ada.look("members, provisioned")
          await ada.page.getByRole("button", { name: /Role of Ben at work/ }).click()
          assert.strictEqual(await ada.page.getByRole("list", { name: "Invitations" }).count(), 0)
          await ada.page.getByRole("option", { name: /^Viewer/ }).click()
          await newIncident.waitFor({ state: "detached" })

          // He leaves, and comes back without the invitation.
          await People.signOut(ben)
          await ben.page.getByRole("button", { name: "Single sign-on" }).click()
          await ben.page.getByRole("textbox", { name: "Email" }).fill(ben1.email)
          await ben.page.getByRole("button", { name: "Continue" }).click()
          // The provider knows him still.
          await ben.page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor()
          await ben.open("/settings/members")
          await ben.page.getByText("Viewer", { exact: true }).waitFor()

          await ada.page.getByRole("button", { name: "Remove Ben at work" }).click()
          await ada.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
          await ben.page.getByText(/^You are no longer a member of Acme: somebody removed you/).waitFor()
          await ben.page.getByRole("heading", { name: "You belong to no organization" }).waitFor()
          await ben.look("removed")
          assert.deepStrictEqual(await (await ben.page.request.get(`${people.origin}/api/v1/projects`)).json(), [])

          // The token ends when it is deleted.
          await ada.page.getByRole("link", { name: "Single sign-on" }).click()
          await ada.page.getByRole("button", { name: "Delete Entra ID" }).click()
          await ada.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
          await ada.page.getByRole("list", { name: "Tokens" }).waitFor({ state: "detached" })
          assert.strictEqual((await provision("dora@acme.example")).status(), 401)

          // The provider alone does not bring him back.
          await ben.page.getByRole("button", { name: "Sign out" }).click()
          await ben.page.getByRole("button", { name: "Single sign-on" }).click()
          await ben.page.getByRole("textbox", { name: "Email" }).fill(ben1.email)
          await ben.page.getByRole("button", { name: "Continue" }).click()
          await ben.page.getByText(/None of your groups/).waitFor()
        })
      )
    )
  })
})
