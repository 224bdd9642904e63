/** The messages between an evaluator and its processes. */

/** A request to a process. */
export interface EvaluationRequest {
  /** URL of the module. */
  readonly module: string
  /** Name of the exported function. */
  readonly function: string
  readonly settings: object
  readonly input: unknown
  /** CPU time limit of the function in milliseconds. */
  readonly cpuLimit: number
  /** Folders of plugins that share modules with the host. */
  readonly folders: ReadonlyArray<string>
}

/** A response; `cpu` is the CPU time of the function in milliseconds. */
export type EvaluationReply =
  | { readonly _tag: "Returned"; readonly value: unknown; readonly cpu: number }
  | { readonly _tag: "Threw"; readonly message: string; readonly cpu: number }

/** How a process ends itself after exceeding its CPU time: the "virtual alarm" signal leaves no core file. */
export const overran = "SIGVTALRM"
