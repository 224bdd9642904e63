/** Asks before something is changed. */
import { Data, Effect } from "effect"
import { Prompt } from "effect/cli"

/** There is no terminal to ask for confirmation. */
class NoTerminal extends Data.TaggedError("NoTerminal")<{ readonly message: string }> {}

/** Whether to go on. `looking` is the flag that changes nothing. */
export const confirmed = Effect.fnUntraced(function* (yes: boolean, question: string, looking: string) {
  if (yes) return true
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return yield* new NoTerminal({
      message: `There is no terminal to ask for confirmation: add --yes to apply this, or ${looking} to look at it`
    })
  }
  return yield* Prompt.run(Prompt.Confirm({ message: question })).pipe(Effect.catch(() => Effect.succeed(false)))
})
