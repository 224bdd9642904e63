/** Functions for an evaluator, of every kind that users' patterns may be. */
export const url = import.meta.url

interface Settings {
  /** CPU time of the function in milliseconds. */
  readonly cpu?: number
}

const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** Uses its CPU time and returns the input's length. */
export const work = ({ cpu: millis = 0 }: Settings, input: Uint8Array): number => {
  const until = cpu() + millis
  while (cpu() < until);
  return input.length
}

export const never = (): void => {
  for (;;);
}

/** Stays in a native function that cannot be interrupted. */
export const native = (): boolean =>
  Buffer.alloc(1 << 20, "ab").includes("ab".repeat(15_000) + "bb" + "ab".repeat(15_000))

/** A growing `Set` ends the whole process when the heap is full, not only a thread. */
export const hoard = (): void => {
  const all = new Set<number>()
  for (let next = 0; ; next++) all.add(next)
}

export const exit = (): never => process.exit(3)

export const throws = (): never => {
  throw new Error("It is broken")
}

export const surroundings = (): object => ({ env: process.env, pid: process.pid })
