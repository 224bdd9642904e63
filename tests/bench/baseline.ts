/**
 * The baseline for checks: a bare undici loop with a new connection per request. Arguments: URL, requests per second, seconds.
 * Prints the CPU time per request. It wakes for nothing else, so that a slow rate shows what waking up costs.
 */
import { Client } from "undici"

const [url, rate, seconds] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const origin = new URL(url).origin

const once = async (): Promise<void> => {
  const client = new Client(origin, { pipelining: 0 })
  const { body } = await client.request({ path: "/", method: "GET" })
  await body.text()
  client.destroy()
}

const run = async (total: number): Promise<number> => {
  let done = 0
  const began = performance.now()
  const pending = new Set<Promise<void>>()
  while (done < total) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate) + 1)
    for (; done < due; done++) {
      const request = once().finally(() => pending.delete(request))
      pending.add(request)
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(5, 1000 / rate)))
  }
  await Promise.all(pending)
  return performance.now() - began
}

// What has run a hundred times is compiled once.
await run(Math.max(rate, 100))
const before = process.cpuUsage()
const millis = await run(rate * seconds)
const cpu = process.cpuUsage(before)
process.stdout.write(
  `${JSON.stringify({ requests: rate * seconds, perSecond: (rate * seconds * 1000) / millis, cpuMicros: (cpu.user + cpu.system) / (rate * seconds) })}\n`
)
process.exit(0)
