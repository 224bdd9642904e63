/** Replaces `${NAME}` in texts with the value of an environment variable. `$${` is an escaped `${`. */

/** The environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Filled {
  readonly text: string
  /** The variables that were replaced. */
  readonly used: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

const place = /\$\$\{|\$\{([^}]*)(\}?)/g
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

export const fill = (text: string, environment: Environment): Filled => {
  const used: Array<string> = []
  const problems: Array<string> = []
  const filled = text.replaceAll(place, (match: string, name: string | undefined, end: string) => {
    if (name === undefined) return "${"
    if (end === "" || !variable.test(name)) {
      problems.push("Expected the name of an environment variable, as in ${NAME}; write $${ for a literal ${")
      return match
    }
    const value = environment[name]
    if (value === undefined) {
      problems.push(`The environment variable ${name} is not set; set it where kanmon apply runs`)
      return match
    }
    used.push(name)
    return value
  })
  return { text: filled, used, problems }
}
