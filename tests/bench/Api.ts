/** The benchmarks' requests to the product's API. */
import { createServer } from "node:net"
import { cookieOf } from "../support/Cookies.ts"
import { heading, row, whole } from "./report.ts"

/** Interval of the benchmarks' monitors in seconds. */
export const interval = 10

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** A port of this machine that nobody uses. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

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
  const cookie = cookieOf(answer)
  const projects = (await (await fetch(`${base}/projects`, { headers: { cookie } })).json()) as ReadonlyArray<{
    readonly id: string
    readonly apiKey: string
  }>
  return { projectId: projects[0]!.id, apiKey: projects[0]!.apiKey }
}

export const signUp = async (base: string): Promise<string> => (await makeAccount(base, "bench@example.org")).apiKey

/** Requests at the same time. */
const concurrency = 64
/** Monitors that are created one by one, where both ways are measured. */
const singly = 3000
/** Monitors of one request. */
const together = 1000

const bodyOf = (url: string, index: number, interval: number) => ({
  name: `Monitor ${index}`,
  type: "http",
  url: `${url}?${index + 1}`,
  interval
})

/** Creates http monitors one by one; after a refusal for too many requests it waits as long as it was told. */
export const createMonitorsQuietly = async (
  base: string,
  key: string,
  url: string,
  { from, interval, until }: { readonly from: number; readonly until: number; readonly interval: number }
): Promise<void> => {
  let next = from
  const worker = async (): Promise<void> => {
    while (next < until) {
      const body = bodyOf(url, next++, interval)
      for (;;) {
        const answer = await post(`${base}/monitors`, body, { "x-api-key": key })
        const text = await answer.text()
        if (answer.status === 201) break
        if (answer.status !== 429) throw new Error(`Creating failed: ${answer.status} ${text}`)
        await sleep(Number(answer.headers.get("retry-after") ?? 1) * 1000)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** Creates http monitors, a thousand with each request. Returns how long that took, in milliseconds. */
export const createTogether = async (
  base: string,
  key: string,
  url: string,
  { from, until }: { readonly from: number; readonly until: number }
): Promise<number> => {
  const began = Date.now()
  for (let first = from; first < until; first += together) {
    const monitors = Array.from({ length: Math.min(together, until - first) }, (_, index) =>
      bodyOf(url, first + index, interval)
    )
    const answer = await post(`${base}/monitors/batch`, { monitors }, { "x-api-key": key })
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`Creating failed: ${answer.status} ${text.slice(0, 500)}`)
  }
  return Date.now() - began
}

export interface Created {
  readonly perSecond: number
  /** How long ten thousand take together, in seconds; undefined where too few were created to tell. */
  readonly tenThousand: number | undefined
}

/** Creates http monitors: the first ones one by one, the others together. */
export const createMonitors = async (base: string, key: string, url: string, count: number): Promise<Created> => {
  heading(`Creating ${whole(count)} monitors`)
  const alone = Math.min(count, singly)
  const began = Date.now()
  await createMonitorsQuietly(base, key, url, { from: 0, until: alone, interval })
  const perSecond = (alone * 1000) / (Date.now() - began)
  row(`monitors created per second, ${concurrency} requests at a time`, whole(perSecond))
  if (count === alone) return { perSecond, tenThousand: undefined }
  const millis = await createTogether(base, key, url, { from: alone, until: count })
  const tenThousand = (millis * 10) / (count - alone)
  row("10,000 monitors, a thousand with each request", `${tenThousand.toFixed(1)} s`)
  return { perSecond, tenThousand }
}
