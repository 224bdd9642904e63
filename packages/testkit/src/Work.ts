/** How the work of a function grows with its input, in CPU time of the thread: the load and the speed of the machine do not matter. */

type Run = (size: number) => unknown

/** CPU seconds of one run. */
const cost = async (run: Run, size: number): Promise<number> => {
  const before = process.threadCpuUsage()
  await run(size)
  const { system, user } = process.threadCpuUsage(before)
  return (system + user) / 1e6
}

const least = async (run: Run, size: number): Promise<number> =>
  Math.min(await cost(run, size), await cost(run, size), await cost(run, size))

/** Less than this cannot be compared. */
const measurable = 0.05

/**
 * How often the work doubles when its input does, once the work can be measured: about 1 for linear work, 2 for quadratic. 0 if it
 * cannot be measured up to the largest size.
 */
export const growth = async (run: Run, largest: number): Promise<number> => {
  for (let size = Math.ceil(largest / 256); ; size = Math.min(2 * size, largest)) {
    if ((await cost(run, size)) > measurable) {
      const whole = await least(run, size)
      // Otherwise it was the first run that cost something, such as its compilation.
      if (whole > measurable) return Math.log2(whole / (await least(run, Math.floor(size / 2))))
    }
    if (size === largest) return 0
  }
}
