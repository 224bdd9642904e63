/**
 * Where every process of a fleet reports its metrics, as to an operator's collector. A process that is killed takes with it
 * what it counted since its last report, ten seconds at most.
 */
import { createServer } from "node:http"
import { Effect, type Scope } from "effect"

export interface Counters {
  /** The address for a process of this name. */
  readonly endpoint: (process: string) => string
  /** The sum of a counter over all lives of the processes whose names begin so, by its attributes. */
  readonly total: (processes: string, counter: string) => Readonly<Record<string, number>>
}

interface Point {
  readonly asInt?: number | string
  readonly asDouble?: number
  readonly startTimeUnixNano: string
  readonly attributes?: ReadonlyArray<{ readonly value: { readonly stringValue?: string } }>
}

interface Report {
  readonly resourceMetrics: ReadonlyArray<{
    readonly scopeMetrics: ReadonlyArray<{
      readonly metrics: ReadonlyArray<{
        readonly name: string
        readonly sum?: { readonly dataPoints: ReadonlyArray<Point> }
      }>
    }>
  }>
}

export const make: Effect.Effect<Counters, never, Scope.Scope> = Effect.gen(function* () {
  /** By process, counter, attributes and life: the largest that was reported. */
  const known = new Map<string, { process: string; counter: string; attributes: string; value: number }>()
  const take = (process: string, report: Report): void => {
    for (const { name, sum } of report.resourceMetrics.flatMap((one) =>
      one.scopeMetrics.flatMap(({ metrics }) => metrics)
    )) {
      for (const point of sum?.dataPoints ?? []) {
        const attributes = (point.attributes ?? []).map(({ value }) => value.stringValue ?? "").join(" ")
        const value = Number(point.asInt ?? point.asDouble ?? 0)
        const key = [process, name, attributes, point.startTimeUnixNano].join("\n")
        if (value >= (known.get(key)?.value ?? 0)) known.set(key, { process, counter: name, attributes, value })
      }
    }
  }
  const port = yield* Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
        const server = createServer((request, response) => {
          const [, process, , signal] = request.url!.split("/")
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => void (signal === "metrics" && chunks.push(chunk)))
          request.on("end", () => {
            if (signal === "metrics") take(process!, JSON.parse(Buffer.concat(chunks).toString()) as Report)
            response.setHeader("content-type", "application/json")
            response.end("{}")
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as { readonly port: number }
          resume(
            Effect.succeed({
              port,
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ port }) => port
  )
  return {
    endpoint: (process) => `http://127.0.0.1:${port}/${process}`,
    total: (processes, counter) => {
      const sums: Record<string, number> = {}
      for (const one of known.values()) {
        if (one.counter !== counter || !one.process.startsWith(processes)) continue
        sums[one.attributes] = (sums[one.attributes] ?? 0) + one.value
      }
      return sums
    }
  }
})
