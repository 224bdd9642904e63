/** A page whose lists are others at each look: the first row is gone, the last one comes first, and another one is new. */
import type { BrowserContext, Page } from "playwright-core"

/**
 * Runs in the page before its own code: its answers are rearranged there, since a browser whose requests are held from outside keeps
 * no file of a page for the next one.
 */
const rearrangeAnswers = () => {
  type Item = Readonly<Record<string, unknown>>

  /** What decides which page is shown, and to whom. */
  const isFrame = (pathname: string): boolean => /\/(projects|organizations|auth\/.*)$/.test(pathname)
  const idNames = new Set(["id", "userId", "domain", "region", "name", "key", "startedAt"])
  const isItems = (value: unknown): value is ReadonlyArray<Item> =>
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null)

  /** Another item that differs in what tells items apart. */
  const copyOf = (item: Item, turn: number): Item =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        !idNames.has(name) || typeof value !== "string"
          ? value
          : name === "startedAt"
            ? new Date(Date.parse(value) - turn * 1000).toISOString()
            : `${value}${turn}`
      ])
    )

  const rearranged = (items: ReadonlyArray<Item>, turn: number): ReadonlyArray<Item> => {
    const [first, ...rest] = items
    const last = rest.pop()
    const known = last === undefined ? [first!] : turn % 2 === 0 ? [last, first!, ...rest] : [last, ...rest]
    return [copyOf(first!, turn), ...known]
  }

  /** An answer of the API with its lists rearranged. */
  const changed = (answer: unknown, turn: number): unknown =>
    isItems(answer)
      ? rearranged(answer, turn)
      : typeof answer === "object" && answer !== null && !Array.isArray(answer)
        ? Object.fromEntries(
            Object.entries(answer).map(([name, value]) => [name, isItems(value) ? rearranged(value, turn) : value])
          )
        : answer

  const state = { turn: 0, underWay: 0, answered: 0 }
  const ask = globalThis.fetch
  globalThis.fetch = async (request, init) => {
    const { pathname } = new URL(request instanceof Request ? request.url : request, location.href)
    const method = (init?.method ?? (request instanceof Request ? request.method : "GET")).toUpperCase()
    if (method !== "GET" || !pathname.includes("/api/v1/") || pathname.endsWith("/events")) return ask(request, init)
    const { turn } = state
    state.underWay++
    try {
      const answer = await ask(request, init)
      const isList = answer.status === 200 && /json/.test(answer.headers.get("content-type") ?? "")
      if (turn === 0 || !isList || isFrame(pathname)) return answer
      const { headers, status } = answer
      return new Response(JSON.stringify(changed(await answer.json(), turn)), { headers, status })
    } finally {
      state.underWay--
      if (turn === state.turn) state.answered++
    }
  }

  const change = async (): Promise<void> => {
    state.turn++
    state.answered = 0
    // As another tab of the browser does after a change.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has the page's own origin
    new BroadcastChannel("kanmon.changes").postMessage(null)
    const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve))
    while (state.answered === 0 || state.underWay > 0) await frame()
    // What the last answer changes is there after two frames.
    await frame()
    await frame()
  }
  Object.assign(globalThis, { restless: { change } })
}

/** From now on the answers to the pages of this browser are others after each `change` of theirs. */
export const restless = (context: BrowserContext) => context.addInitScript(rearrangeAnswers)

/** Lets an open page ask for all answers again, which are others, and waits until they are shown. */
export const change = (page: Page): Promise<void> => page.evaluate(() => (globalThis as any).restless.change())
