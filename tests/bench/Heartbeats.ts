/** Measures heartbeat signals per second, each acknowledged after it is stored. */
import { post, signUp, sleep } from "./Api.ts"
import { heading, row, whole } from "./report.ts"
import type { Server } from "./Server.ts"

const jobs = 200
const seconds = 10
const rate = 1000

export const run = async (server: Server): Promise<void> => {
  await server.start()
  const key = await signUp(server.base)
  const urls: Array<string> = []
  for (let index = 0; index < jobs; index++) {
    const answer = await post(
      `${server.base}/monitors`,
      { name: `Job ${index}`, type: "heartbeat" },
      { "x-api-key": key }
    )
    urls.push(((await answer.json()) as { readonly heartbeatUrl: string }).heartbeatUrl)
  }
  heading(`Heartbeats: ${whole(rate)} signals a second for ${seconds} s, from ${jobs} jobs`)
  const times: Array<number> = []
  let refused = 0
  const send = async (index: number): Promise<void> => {
    const began = performance.now()
    const answer = await fetch(`${urls[index % jobs]}?m.n=${index}`)
    await answer.arrayBuffer()
    times.push(performance.now() - began)
    if (!answer.ok) refused++
  }
  const sent: Array<Promise<void>> = []
  const began = performance.now()
  for (let tick = 0; tick < seconds * 100; tick++) {
    for (let each = 0; each < rate / 100; each++) sent.push(send(sent.length))
    await sleep(Math.max(0, began + (tick + 1) * 10 - performance.now()))
  }
  await Promise.all(sent)
  const took = performance.now() - began
  let stored = 0
  for (const url of new Set(urls)) {
    const id = (
      (await (
        await fetch(`${server.base}/monitors?limit=1000`, { headers: { "x-api-key": key } })
      ).json()) as ReadonlyArray<{
        readonly id: string
        readonly heartbeatUrl: string
      }>
    ).find(({ heartbeatUrl }) => heartbeatUrl === url)!.id
    const metrics = await fetch(`${server.base}/monitors/${id}/heartbeat-metrics`, { headers: { "x-api-key": key } })
    stored += ((await metrics.json()) as ReadonlyArray<unknown>).length
  }
  const sorted = times.sort((one, other) => one - other)
  row("accepted per second", whole((sent.length * 1000) / took), `offered ${whole(rate)}`)
  row("refused", whole(refused))
  row("stored", whole(stored), `of ${whole(sent.length)}`)
  row(
    "answer p50 / p99",
    `${whole(sorted[Math.floor(sorted.length / 2)]!)} / ${whole(sorted[Math.floor(sorted.length * 0.99)]!)} ms`
  )
}
