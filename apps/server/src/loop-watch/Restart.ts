/** Restarts a process when its event loop stands still. */

/** The process, as the thread knows it. */
export interface Invocation {
  readonly pid: number
  readonly parent: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isContainer: boolean
}

/**
 * Whether something outside starts the process again when it ends: systemd, pm2, or the runtime of a container. Otherwise the
 * process has to start its successor itself.
 */
export const isSupervised = ({ environment, isContainer, parent, pid }: Invocation): boolean =>
  environment["INVOCATION_ID"] !== undefined ||
  environment["pm_id"] !== undefined ||
  pid === 1 ||
  (isContainer && parent === 1)

/** The command that started this process. */
export const commandOf = (started: {
  readonly execPath: string
  readonly execArgv: ReadonlyArray<string>
  readonly argv: ReadonlyArray<string>
}): readonly [file: string, ...args: ReadonlyArray<string>] => [
  started.execPath,
  ...started.execArgv,
  ...started.argv.slice(1)
]
