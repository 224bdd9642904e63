/**
 * Ports for servers of the tests. Those of a test process are its own, each is given once, and all are below the ones that a
 * product picks for its embedded servers: a port is bound seconds after it was chosen, and nobody else may come before.
 */
import { isFree } from "@kanmon/core/ServerProcess"

const lowest = 10_000
const perWorker = 2_500

/** A process of the test runner has a number, from 1 to the number of workers; there are never more than four. */
const worker = Number(process.env["VITEST_POOL_ID"] ?? 0) % 4

let given = Math.floor(Math.random() * perWorker)

/** A loopback port that is free, and was not given before. */
export const freePort = async (): Promise<number> => {
  for (let tried = 0; tried < perWorker; tried++) {
    const port = lowest + worker * perWorker + (given++ % perWorker)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${perWorker} ports from ${lowest + worker * perWorker} is free`)
}
