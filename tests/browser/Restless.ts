/** A page whose lists are others at each look: the first row is gone, the last one comes first, and another one is new. */
import type { Page } from "playwright-core"

/** What decides which page is shown, and to whom. */
const isFrame = (pathname: string): boolean => /\/(projects|organizations|auth\/.*)$/.test(pathname)

const idNames = new Set(["id", "userId", "domain", "region", "name", "key", "startedAt"])

type Item = Readonly<Record<string, unknown>>

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

/** From now on the answers to the page are others after each `change`, which asks for all of them again and waits until they are shown. */
export const restless = async (page: Page): Promise<{ readonly change: () => Promise<void> }> => {
  const state = { turn: 0, underWay: 0, answered: 0 }
  await page.route("**/api/v1/**", async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() !== "GET" || pathname.endsWith("/events")) return route.fallback()
    const { turn } = state
    state.underWay++
    try {
      const response = await route.fetch()
      const isList = response.status() === 200 && /json/.test(response.headers()["content-type"] ?? "")
      if (turn === 0 || !isList || isFrame(pathname)) await route.fulfill({ response })
      else await route.fulfill({ response, json: changed(await response.json(), turn) })
    } catch {
      // The page was left meanwhile.
    }
    state.underWay--
    if (turn === state.turn) state.answered++
  })
  const change = async () => {
    state.turn++
    state.answered = 0
    await page.evaluate(() => {
      // As another tab of the browser does after a change.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has the page's own origin
      new BroadcastChannel("kanmon.changes").postMessage(null)
    })
    const isShown = () => state.answered > 0 && state.underWay === 0
    while (!isShown()) await page.waitForTimeout(20)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))))
    )
  }
  return { change }
}
