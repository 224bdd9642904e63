/** The benchmarks' requests to the product's API. */
import { heading, row, whole } from "./report.ts"

/** Interval of the benchmarks' monitors in seconds. */
export const interval = 10

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

export const post = async (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

export interface Account {
  readonly projectId: string
  readonly apiKey: string
}

/** Creates an account and returns its first project. */
export const makeAccount = async (base: string, email: string): Promise<Account> => {
  const answer = await post(`${base}/auth/sign-up/email`, {
    name: "Bench",
    email,
    password: "correct horse battery"
  })
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(";")[0])
    .join("; ")
  const projects = (await (await fetch(`${base}/projects`, { headers: { cookie } })).json()) as ReadonlyArray<{
    readonly id: string
    readonly apiKey: string
  }>
  return { projectId: projects[0]!.id, apiKey: projects[0]!.apiKey }
}

export const signUp = async (base: string): Promise<string> => (await makeAccount(base, "bench@example.org")).apiKey

export const createMonitors = async (base: string, key: string, url: string, count: number): Promise<void> => {
  heading(`Creating ${whole(count)} monitors`)
  const began = Date.now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const name = `Monitor ${next++}`
      const answer = await post(
        `${base}/monitors`,
        { name, type: "http", url: `${url}?${next}`, interval },
        { "x-api-key": key }
      )
      if (answer.status !== 201) throw new Error(`Creating failed: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  row("monitors created per second", whole((count * 1000) / (Date.now() - began)))
}
