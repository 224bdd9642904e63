/** Derives packet loss, latency and jitter from echo replies. Pure. */
import type { EchoReplies } from "@kanmon/core/Dialer"
import { type Reason, reason } from "@kanmon/domain/Reason"

export interface Measurement {
  /** Percent, 0 to 100. */
  readonly packetLoss: number
  /** Milliseconds; null without a reply. */
  readonly average: number | null
  /** Mean difference between consecutive replies in milliseconds; null with fewer than two. */
  readonly jitter: number | null
}

export interface Thresholds {
  readonly maxPacketLoss?: number | undefined
  readonly maxLatency?: number | undefined
  readonly maxJitter?: number | undefined
}

const round = (value: number): number => Math.round(value * 1000) / 1000

export const measure = ({ received, sent, times }: Pick<EchoReplies, "received" | "sent" | "times">): Measurement => {
  const sum = times.reduce((all, one) => all + one, 0)
  const steps = times.slice(1).reduce((all, one, index) => all + Math.abs(one - times[index]!), 0)
  return {
    packetLoss: sent === 0 ? 100 : round((100 * (sent - received)) / sent),
    average: times.length === 0 ? null : round(sum / times.length),
    jitter: times.length < 2 ? null : round(steps / (times.length - 1))
  }
}

/** The first threshold that is exceeded; undefined when none is. */
export const exceeded = (
  { average, jitter, packetLoss }: Measurement,
  { maxJitter, maxLatency, maxPacketLoss = 0 }: Thresholds
): ({ readonly code: string } & Reason) | undefined => {
  if (packetLoss > maxPacketLoss)
    return { code: "packet_loss", ...reason("packets_lost", { lost: packetLoss, limit: maxPacketLoss }) }
  if (maxLatency !== undefined && average !== null && average > maxLatency)
    return { code: "slow", ...reason("replies_slow", { took: average, limit: maxLatency }) }
  if (maxJitter !== undefined && jitter !== null && jitter > maxJitter)
    return { code: "jitter", ...reason("replies_varied", { jitter, limit: maxJitter }) }
  return undefined
}
