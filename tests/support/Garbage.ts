/** Node's garbage collector, for tests of what is held in memory. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const gc: () => void = runInNewContext("gc")

/** Collects everything that nothing refers to. What a weak reference refers to stays until the end of the turn that asked for it. */
export const collect = async (): Promise<void> => {
  await new Promise(setImmediate)
  gc()
}
