/** What an evaluator and its processes tell each other. */

/** What a process is asked. */
export interface Question {
  /** URL of the module. */
  readonly module: string
  /** Name of the function that it exports. */
  readonly function: string
  readonly settings: object
  readonly input: unknown
  /** Milliseconds of CPU time that the function may use. */
  readonly cpuLimit: number
  /** Folders of plugins that share modules with the host. */
  readonly folders: ReadonlyArray<string>
}

/** What it answers; `cpu` are the milliseconds of CPU time that the function used. */
export type Answer =
  | { readonly _tag: "Returned"; readonly value: unknown; readonly cpu: number }
  | { readonly _tag: "Threw"; readonly message: string; readonly cpu: number }

/** How a process ends itself that has used up its CPU time: the "virtual alarm", which leaves no core file behind. */
export const overran = "SIGVTALRM"
