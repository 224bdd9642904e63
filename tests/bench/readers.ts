/** Load generator for one URL: `readers.ts <url> <connections> <seconds> [requests per second]`. Prints the results as JSON. */
import { Agent, request } from "node:http"

const [url, connections, seconds, rate] = process.argv.slice(2) as [string, string, string, string | undefined]
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const times: Array<number> = []
let failed = 0
let bytes = 0

const read = (began: number): Promise<void> =>
  new Promise((resolve) => {
    const asked = request(url, { agent, headers: { "accept-encoding": "gzip" } }, (response) => {
      response.on("data", (chunk: Buffer) => void (bytes += chunk.length))
      response.on("end", () => {
        if (response.statusCode !== 200) failed++
        times.push(performance.now() - began)
        resolve()
      })
    })
    asked.on("error", () => {
      failed++
      resolve()
    })
    asked.end()
  })

const began = performance.now()
const end = began + Number(seconds) * 1000
if (rate === undefined) {
  // As fast as responses arrive.
  const one = async (): Promise<void> => {
    while (performance.now() < end) await read(performance.now())
  }
  await Promise.all(Array.from({ length: Number(connections) }, one))
} else {
  // At a constant rate, so that delays caused by late responses count.
  const sent: Array<Promise<void>> = []
  for (;;) {
    const due = Math.floor(((performance.now() - began) / 1000) * Number(rate))
    if (performance.now() >= end) break
    while (sent.length < due) sent.push(read(began + (sent.length * 1000) / Number(rate)))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(sent)
}
const took = (performance.now() - began) / 1000
const sorted = times.sort((one, other) => one - other)
const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
process.stdout.write(
  `${JSON.stringify({ perSecond: times.length / took, p50: at(0.5), p99: at(0.99), worst: at(1), failed, bytes: bytes / times.length })}\n`
)
process.exit(0)
