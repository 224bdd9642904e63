/** An account with its first project, made and used over the API with the cookies of a browser. */
import { assert } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"

export const password = "correct horse battery"

type Method = "post" | "patch" | "get"

export interface Account {
  readonly project: { readonly id: string }
  /** Calls the API in the project as its owner; fails unless it answers 2xx. */
  readonly call: (method: Method, route: string, data?: unknown) => Promise<any>
  readonly create: (route: string, data: unknown) => Promise<any>
}

/** Signs somebody up at the address of an installation; the browser is signed in. */
export const signUp = async (
  { request }: BrowserContext,
  origin: string,
  { email, name }: { readonly email: string; readonly name: string }
): Promise<Account> => {
  const caller =
    (headers: Readonly<Record<string, string>>): Account["call"] =>
    async (method, route, data) => {
      const answer = await request[method](`${origin}/api/v1${route}`, {
        headers,
        ...(data === undefined ? {} : { data })
      })
      assert.isTrue(answer.ok(), `${method} ${route}: ${await answer.text()}`)
      return answer.json()
    }
  const sender = { origin: new URL(origin).origin }
  const alone = caller(sender)
  await alone("post", "/auth/sign-up/email", { name, email, password })
  const [project] = await alone("get", "/projects")
  const call = caller({ ...sender, "kanmon-project": project.id })
  return { project, call, create: (route, data) => call("post", route, data) }
}

/**
 * Signs somebody up in the page itself, and calls the API from there: cookies, names and the checks of origins are those of the
 * browser. `home` is the address of the installation.
 */
export const signUpInPage = async (
  page: Page,
  home: string,
  name: string
): Promise<{ readonly email: string; readonly call: Account["call"] }> => {
  const email = `${name}@example.org`
  await page.goto(`${home}/sign-up`)
  await page.getByRole("textbox", { name: "Your name" }).fill(name)
  await page.getByRole("textbox", { name: "Email" }).fill(email)
  await page.getByRole("textbox", { name: "Password" }).fill(password)
  await page.getByRole("button", { name: "Create account" }).click()
  await page.getByLabel("What should we watch?").waitFor()
  const ask = (method: string, route: string, headers: Record<string, string>, data?: unknown): Promise<any> =>
    page.evaluate(
      async ([address, method, headers, data]) => {
        const answer = await fetch(address, {
          method,
          headers: { ...headers, ...(data === undefined ? {} : { "content-type": "application/json" }) },
          ...(data === undefined ? {} : { body: JSON.stringify(data) })
        })
        if (!answer.ok) throw new Error(`${method} ${address}: ${await answer.text()}`)
        return answer.json()
      },
      [`${home}/api/v1${route}`, method, headers, data] as const
    )
  const [project] = await ask("GET", "/projects", {})
  return {
    email,
    call: (method, route, data) => ask(method.toUpperCase(), route, { "kanmon-project": project.id }, data)
  }
}
