/**
 * Admits work of many accounts: so much at once, less of one account, and accounts that wait take turns. No account waits
 * longer because another one has asked for more. Pure bookkeeping, without effects of its own.
 */

export interface FairQueueOptions {
  /** How much runs at once. */
  readonly atOnce: number
  /** How much of one account runs at once. */
  readonly ofAccount: number
  /** How much of one account waits; more is refused. */
  readonly waiting: number
}

/** Called when the work may begin. */
type Begin = () => void

interface Account {
  running: number
  readonly waiting: Array<Begin>
}

export class FairQueue {
  readonly #options: FairQueueOptions
  /** Accounts in the order of their turns: after its turn, an account moves to the end. */
  readonly #accounts = new Map<string, Account>()
  #running = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Accounts with work that runs or waits. */
  get size(): number {
    return this.#accounts.size
  }

  /** Calls `begin`, immediately or later; false if too much of the account waits. Each begun call ends with `leave`. */
  enter(account: string, begin: Begin): boolean {
    const { ofAccount, waiting } = this.#options
    const state = this.#accounts.get(account) ?? { running: 0, waiting: [] }
    const isBusy = state.running >= ofAccount || this.#running >= this.#options.atOnce
    if (isBusy && state.waiting.length >= waiting) return false
    this.#accounts.set(account, state)
    state.waiting.push(begin)
    this.#admit()
    return true
  }

  /** The work of the account that began has ended. */
  leave(account: string): void {
    const state = this.#accounts.get(account)
    if (state === undefined || state.running === 0) return
    this.#running--
    state.running--
    this.#forget(account, state)
    this.#admit()
  }

  /** The work that waits is not wanted any more. */
  withdraw(account: string, begin: Begin): void {
    const state = this.#accounts.get(account)
    const index = state?.waiting.indexOf(begin) ?? -1
    if (state === undefined || index < 0) return
    state.waiting.splice(index, 1)
    this.#forget(account, state)
  }

  #forget(account: string, { running, waiting }: Account): void {
    if (running === 0 && waiting.length === 0) this.#accounts.delete(account)
  }

  #admit(): void {
    while (this.#running < this.#options.atOnce) {
      const next = this.#next()
      if (next === undefined) return
      const [account, state] = next
      this.#running++
      state.running++
      this.#accounts.delete(account)
      this.#accounts.set(account, state)
      state.waiting.shift()!()
    }
  }

  #next(): readonly [string, Account] | undefined {
    for (const entry of this.#accounts)
      if (entry[1].waiting.length > 0 && entry[1].running < this.#options.ofAccount) return entry
    return undefined
  }
}
