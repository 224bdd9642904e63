/** Shared by the thread of the event loop and the thread that watches it. */

/** Counters in shared memory, by their index. */
export const counters = { turns: 0, debugged: 1, started: 2 } as const
export const counterBytes = Object.keys(counters).length * Int32Array.BYTES_PER_ELEMENT

/** The watching thread is started with this. */
export interface Watched {
  readonly counters: SharedArrayBuffer
  readonly inFlight: SharedArrayBuffer
  readonly directory: string
  readonly release: string
  /** The folder that file names are relative to. */
  readonly root: string
  readonly command: readonly [file: string, ...args: ReadonlyArray<string>]
  readonly isSupervised: boolean
  /** Where the paused thread finds the function that describes what it runs. */
  readonly describer: string
}
