/** Matches NATS subject patterns: `*` is one token, a trailing `>` is one or more. */

/** A predicate over subjects. Without a pattern it matches everything. */
export const matcher = (patterns: ReadonlyArray<string> | undefined): ((subject: string) => boolean) => {
  if (patterns === undefined || patterns.length === 0) return () => true
  const tests = patterns.map(one)
  return tests.length === 1 ? tests[0]! : (subject) => tests.some((test) => test(subject))
}

const one = (pattern: string): ((subject: string) => boolean) => {
  if (!/[*>]/.test(pattern)) return (subject) => subject === pattern
  const tokens = pattern.split(".")
  // The common case `a.b.>` needs no splitting.
  if (tokens.at(-1) === ">" && !tokens.slice(0, -1).includes("*")) {
    const prefix = pattern.slice(0, -1)
    return (subject) => subject.length > prefix.length && subject.startsWith(prefix)
  }
  return (subject) => {
    const parts = subject.split(".")
    for (let index = 0; index < tokens.length; index++) {
      if (tokens[index] === ">") return parts.length > index
      if (parts[index] === undefined || (tokens[index] !== "*" && tokens[index] !== parts[index])) return false
    }
    return parts.length === tokens.length
  }
}
