/** An account with its first project, made and used over the API with the cookies of a browser. */
import { assert } from "@effect/vitest"
import type { BrowserContext } from "playwright-core"

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
