/**
 * Mistakes on the command line in one line each, with what was probably meant and where the help is. The help itself is printed only
 * where it is asked for: a page of it would push the mistake out of the terminal.
 */
import { didYouMean } from "@kanmon/domain/Suggestion"
import { Console, type Layer } from "effect"
import { type CliError, CliOutput } from "effect/cli"

type Mistake = CliError.NonShowHelpErrors

/** Exit code of a command that does not exist, as of shells; commands have other codes for their own failures. */
const unknownCommandCode = 2

/** Whether a failed run has printed its mistake already, and the exit code. Undefined for other failures. */
export const exitCodeOf = (error: unknown): number | undefined => {
  if (typeof error !== "object" || error === null || !("_tag" in error) || error._tag !== "ShowHelp") return undefined
  const { errors } = error as unknown as CliError.ShowHelp
  return errors.some(({ _tag }) => _tag === "UnknownSubcommand") ? unknownCommandCode : 1
}

/** The sentence for a mistake, with the subcommand that was probably meant. */
const sentence = (mistake: Mistake, subcommands: ReadonlyArray<string>): string => {
  switch (mistake._tag) {
    case "UnknownSubcommand":
      return `there is no command ${JSON.stringify(mistake.subcommand)}${didYouMean(mistake.subcommand, subcommands)}`
    case "UnrecognizedOption":
      return `there is no flag ${mistake.option}${meant(mistake.suggestions)}`
    default:
      return oneLine(mistake.message)
  }
}

const meant = ([first]: ReadonlyArray<string>): string => (first === undefined ? "" : `; did you mean ${first}?`)

/** Some messages are paragraphs. */
const oneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")

/** The line of a mistake in the command of a path, such as `["kanmon", "region"]`. */
const lineOf = (commandPath: ReadonlyArray<string>, subcommands: ReadonlyArray<string>, mistake: Mistake): string => {
  const said = sentence(mistake, subcommands)
  return `kanmon: ${said}${/[.?!]$/.test(said) ? "" : "."} For help: ${commandPath.join(" ")} --help`
}

/** Prints mistakes by {@link lineOf}, and everything else as Effect does. */
export const layer: Layer.Layer<never> = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const names = (event.helpDoc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
    // Tokens after an unknown command belong to it.
    const unknown = event.errors.find(({ _tag }) => _tag === "UnknownSubcommand")
    const mistakes = unknown === undefined ? event.errors : [unknown]
    return Console.error(mistakes.map((mistake) => lineOf(event.commandPath, names, mistake)).join("\n"))
  }
})
