/** The baseline for checks: the same requests by a bare undici loop, in a process that does nothing else. */
import { script } from "./Child.ts"

export interface Cost {
  /** CPU time of a request in microseconds. */
  readonly cpuMicros: number
  /** Requests per second that it reached. */
  readonly perSecond: number
}

/** `rate` is in requests per second; they follow each other evenly. */
export const measure = async (url: string, rate: number, seconds: number): Promise<Cost> =>
  (await script<Cost>("baseline.ts", [url, String(rate), String(seconds)])).first
