/**
 * Measures the dashboard's list of 10,000 monitors in Chromium: until rows are shown, typing, long tasks while updates arrive, and
 * the heap. The updates are put into the page's event stream, so that neither the server nor the network is measured.
 */
import * as Database from "@kanmon/platform/database/Database"
import { Effect, ManagedRuntime, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { CDPSession, Page } from "playwright-core"
import * as Browser from "../support/Browser.ts"
import { sleep } from "./Api.ts"
import { heading, row, tenths, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const count = 10_000
const updatesPerSecond = 500
const seconds = 10
const password = "correct horse battery"

interface Recorder {
  readonly tasks: Array<number>
  readonly keys: Array<number>
  rowsAt: number
  dataAt: number
  send: (text: string) => void
  sent: number
}

declare global {
  interface Window {
    recorder: Recorder
  }
}

/** Runs in the page before its own scripts. */
const record = () => {
  const recorder: Recorder = { tasks: [], keys: [], rowsAt: 0, dataAt: 0, send: () => {}, sent: 0 }
  window.recorder = recorder
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) recorder.tasks.push(entry.duration)
  }).observe({ type: "longtask" })
  // From the key press to the next picture.
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === "keydown") recorder.keys.push(entry.duration)
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit)
  new MutationObserver((_, observer) => {
    if (document.querySelector("[role=row][data-key]") === null) return
    observer.disconnect()
    requestAnimationFrame(() => {
      recorder.rowsAt = performance.now()
    })
  }).observe(document, { childList: true, subtree: true })
  const own = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const url = String(input)
    if (url.includes("/events?")) {
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          recorder.send = (text) => controller.enqueue(encoder.encode(text))
          recorder.send(": open\n\n")
        }
      })
      return new Response(body, { headers: { "content-type": "text/event-stream" } })
    }
    const answer = await own(input, init)
    if (!url.includes("/monitors/summaries") || recorder.dataAt > 0) return answer
    const bytes = await answer.arrayBuffer()
    recorder.dataAt = performance.now()
    return new Response(bytes, { status: answer.status, headers: answer.headers })
  }
}

/** Runs in the page: changes of status as the server sends them. */
const update = ({ ids, perSecond }: { readonly ids: ReadonlyArray<string>; readonly perSecond: number }) => {
  const statuses = ["down", "up", "degraded"] as const
  const step = 20
  setInterval(() => {
    let text = ""
    for (let index = 0; index < (perSecond * step) / 1000; index++) {
      const sent = window.recorder.sent++
      const monitorId = ids[(sent * 7919) % ids.length]
      const status = statuses[sent % 3]
      const data = { monitorId, status, at: new Date().toISOString(), failure: { code: "x", message: "Refused" } }
      text += `id: ${sent}\ndata: ${JSON.stringify({ type: `kanmon.monitor.${status}`, data })}\n\n`
    }
    window.recorder.send(text)
  }, step)
}

const fill = (databaseUrl: string, projectId: string): Promise<void> => {
  const database = ManagedRuntime.make(
    Database.layer(Redacted.make(databaseUrl), { maxConnections: 1 }).pipe(Layer.orDie)
  )
  return database.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO monitors (id, project_id, name, type, interval_seconds, timeout_seconds, regions, paused, config,
          tags, group_path, created_at, updated_at)
        SELECT 'mon_0' || lpad(i::text, 25, '0'), ${projectId}, 'Service number ' || i, 'http', 60, 30, '{}', true,
          jsonb_build_object('url', 'https://service-' || i || '.example/health'),
          ARRAY['prod', 'team:' || (i % 40)], 'Group ' || (i % 100) || '/Part ' || (i % 7), now(), now()
        FROM generate_series(1, ${count}) AS i`
      yield* sql`INSERT INTO monitor_states (monitor_id, status, state)
        SELECT id, 'up', jsonb_build_object('status', 'up', 'since', 1795163400000, 'recent', repeat('u', 25) || 'dgxuu')
        FROM monitors WHERE project_id = ${projectId}`
      yield* sql`INSERT INTO monitor_summaries (monitor_id, uptime_24h, response_time_24h, measured_at)
        SELECT id, 99.9542, 91.4, now() FROM monitors WHERE project_id = ${projectId}`
      yield* sql`ANALYZE`
    })
  )
}

const worst = (values: ReadonlyArray<number>): number => values.reduce((most, value) => Math.max(most, value), 0)

/** Types a search into what has the focus and takes it back; answers the worst time from a key to the next picture. */
const type = async (page: Page): Promise<number> => {
  await page.evaluate(() => void (window.recorder.keys.length = 0))
  for (const key of "service 77 prod") {
    await page.keyboard.press(key === " " ? "Space" : key)
    await sleep(120)
  }
  for (let index = 0; index < 15; index++) {
    await page.keyboard.press("Backspace")
    await sleep(60)
  }
  await sleep(500)
  return worst(await page.evaluate(() => window.recorder.keys))
}

const typeInList = async (page: Page): Promise<number> => {
  await page.getByRole("searchbox").focus()
  return type(page)
}

const typeInPalette = async (page: Page): Promise<number> => {
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox").waitFor()
  // Opening it is measured by nobody's typing.
  await sleep(500)
  const found = await type(page)
  await page.keyboard.press("Escape")
  return found
}

const heap = async (session: CDPSession): Promise<number> => {
  await session.send("HeapProfiler.collectGarbage")
  const { metrics } = await session.send("Performance.getMetrics")
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1_000_000
}

const measure = async (server: Server, page: Page): Promise<void> => {
  const { origin } = new URL(server.base)
  const context = page.context()
  await context.request.post(`${server.base}/auth/sign-up/email`, {
    data: { name: "Bench", email: "list@example.org", password },
    headers: { origin }
  })
  const [project] = await (await context.request.get(`${server.base}/projects`)).json()
  await fill(server.databaseUrl, project.id)
  await page.addInitScript(record)
  const session = await context.newCDPSession(page)
  await session.send("Performance.enable")

  heading(`The dashboard's list of ${whole(count)} monitors, ${updatesPerSecond} updates a second`)
  await page.goto(`${origin}/monitors`)
  await page.locator("[role=row][data-key]").first().waitFor()
  await sleep(2000)
  const { dataAt, rowsAt } = await page.evaluate(() => window.recorder)
  row("from the data to rows", `${whole(rowsAt - dataAt)} ms`, "less than 500 ms")
  row("worst key press, calm", `${whole(await typeInList(page))} ms`, "less than 50 ms")
  row("worst key press in the palette", `${whole(await typeInPalette(page))} ms`, "less than 50 ms")
  row("heap", `${tenths(await heap(session))} MB`, "less than 40 MB")

  const ids = await page.evaluate(
    async (headers) => {
      const answer = await window.fetch("/api/v1/monitors/summaries", { headers })
      return ((await answer.json()) as { readonly id: ReadonlyArray<string> }).id
    },
    { "kanmon-project": String(project.id) }
  )
  await page.evaluate(update, { ids, perSecond: updatesPerSecond })
  await sleep(1000)
  await page.evaluate(() => void (window.recorder.tasks.length = 0))
  const before = await page.evaluate(() => window.recorder.sent)
  await sleep(seconds * 1000)
  const { sent, tasks } = await page.evaluate(() => window.recorder)
  row("updates applied per second", whole((sent - before) / seconds), `${updatesPerSecond}`)
  row("tasks of more than 50 ms", whole(tasks.length))
  row("longest task", tasks.length === 0 ? "under 50 ms" : `${whole(worst(tasks))} ms`, "at most 100 ms")
  row("worst key press, with updates", `${whole(await typeInList(page))} ms`, "less than 50 ms")
  row("worst key press in the palette, with updates", `${whole(await typeInPalette(page))} ms`, "less than 50 ms")
  row("heap after the updates", `${tenths(await heap(session))} MB`, "less than 40 MB")
}

export const run = async (server: Server): Promise<void> => {
  if (Browser.skipped) return heading("The dashboard's list: skipped, chromium is not installed")
  await server.start()
  await Effect.runPromise(
    Effect.flatMap(Browser.Browser, (browser) =>
      Effect.promise(async () => {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" })
        await measure(server, await context.newPage())
        await context.close()
      })
    ).pipe(Effect.provide(Browser.Browser.layer))
  )
}
