/**
 * When each target is down: the truth that everything else is held against. Pure, so that the targets' process and the ledger
 * compute the same, and every run is alike.
 */
import { hash } from "@kanmon/domain/Slots"

/** From the one instant to the other, both in milliseconds since the script began. */
export interface Window {
  readonly from: number
  readonly to: number
}

export interface Script {
  /** Windows begin from here on, */
  readonly from: number
  /** and have ended by then. */
  readonly until: number
  /** No window, and no time between two windows of a target, is shorter. */
  readonly shortest: number
}

/** One target in eight is always well, five are down once, two are down twice. */
export const windowsOf = (target: number, { from, shortest, until }: Script): ReadonlyArray<Window> => {
  const wanted = target % 8 === 0 ? 0 : target % 8 < 6 ? 1 : 2
  const count = Math.min(wanted, Math.floor((until - from) / (2 * shortest)))
  const room = (until - from) / Math.max(1, count)
  return Array.from({ length: count }, (_, index) => {
    const lot = (name: string, most: number): number => hash(`${name} ${target} ${index}`) % (Math.floor(most) + 1)
    const length = shortest + lot("length", Math.min(shortest / 2, room - 2 * shortest))
    // What is left of the room after the window and the rest behind it is where the window may begin.
    const begin = Math.round(from + index * room) + lot("begin", room - length - shortest)
    return { from: begin, to: begin + length }
  })
}

/** Whether a target is down at an instant of its script. */
export const isDown = (windows: ReadonlyArray<Window>, at: number): boolean =>
  windows.some(({ from, to }) => at >= from && at < to)
