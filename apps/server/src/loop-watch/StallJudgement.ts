/**
 * Decides whether an event loop stands still. Pure.
 *
 * Elapsed time alone does not tell: a suspended process or a starved one is late, too. So only time that the loop's thread had for
 * itself counts, in which it computed or waited in a system call.
 */

/** A look of the watching thread, once a second. Times are in milliseconds. */
export interface Look {
  /** Counts the turns of the loop that its timer noticed. */
  readonly turns: number
  /** On a monotonic clock. */
  readonly at: number
  /** CPU time of the loop's thread, or of the whole process where threads cannot be told apart. */
  readonly cpu: number
  /** Whether the thread waits in a system call; undefined where that cannot be seen. */
  readonly isAsleep: boolean | undefined
  /** A debugger may stop the loop for as long as it likes. */
  readonly isDebugged: boolean
}

export interface Judgement {
  readonly look: Look
  /** The time that the thread had for itself since the loop turned last. */
  readonly own: number
  /** The time since then in which the process was not suspended. */
  readonly elapsed: number
}

/** The loop stands still after so much time of its own, or after half of it in three times as long on a busy machine. */
const limitMillis = 5000
/** While the process starts, modules are evaluated, each in one turn. */
const startLimitMillis = 15_000

/** Between two looks. */
export const lookMillis = 1000
/** A look that comes later than this has been suspended with its process. */
const longestMillis = 1.5 * lookMillis
/** A thread that computes less than this part of the time waits. */
const idlePart = 0.25
/** The part of the time that counts where a thread without CPU time may wait for the processor as well. */
const doubtfulPart = 1 / 3

export const begin = (look: Look): Judgement => ({ look, own: 0, elapsed: 0 })

export const next = (judgement: Judgement, look: Look): Judgement =>
  look.turns !== judgement.look.turns || look.isDebugged
    ? begin(look)
    : {
        look,
        own: judgement.own + ownTime(judgement.look, look),
        elapsed: judgement.elapsed + elapsedTime(judgement.look, look)
      }

const elapsedTime = (before: Look, now: Look): number => Math.min(Math.max(now.at - before.at, 0), longestMillis)

const ownTime = (before: Look, now: Look): number => {
  const elapsed = elapsedTime(before, now)
  const computed = Math.min(Math.max(now.cpu - before.cpu, 0), elapsed)
  if (computed >= elapsed * idlePart) return computed
  if (now.isAsleep === undefined) return elapsed * doubtfulPart
  return now.isAsleep ? elapsed : computed
}

export const isStalled = ({ elapsed, own }: Judgement, hasStarted: boolean): boolean => {
  const limit = hasStarted ? limitMillis : startLimitMillis
  return own >= limit || (elapsed >= limit * 3 && own >= limit / 2)
}
