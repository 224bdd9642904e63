/** Mistakes on the command line: one line each, with what was probably meant, and no page of help. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { kanmon, kanmonProcess } from "../support/Kanmon.ts"

/** Arguments, the only line that is printed, and the exit code. */
type Case = readonly [args: string, line: string, code: number]

const cases: ReadonlyArray<Case> = [
  ["migarte", 'there is no command "migarte"; did you mean migrate? For help: kanmon --help', 2],
  // What follows is not judged.
  ["aply -f x --dry-rn", 'there is no command "aply"; did you mean apply? For help: kanmon --help', 2],
  ["monitors", 'there is no command "monitors". For help: kanmon --help', 2],
  ["nats conf", 'there is no command "conf"; did you mean config? For help: kanmon nats --help', 2],
  ["region delte", 'there is no command "delte". For help: kanmon region --help', 2],
  [
    "account reset-pasword x",
    'there is no command "reset-pasword"; did you mean reset-password? For help: kanmon account --help',
    2
  ],
  ["organization lsit", 'there is no command "lsit"; did you mean list? For help: kanmon organization --help', 2],
  ["admin grnat x", 'there is no command "grnat"; did you mean grant? For help: kanmon admin --help', 2],
  ["plugin chek .", 'there is no command "chek"; did you mean check? For help: kanmon plugin --help', 2],
  ["serve --rols api", "there is no flag --rols; did you mean --roles? For help: kanmon serve --help", 1],
  ["check", "Missing required argument: target. For help: kanmon check --help", 1]
]

describe("a mistake on the command line", () => {
  it.live.each(cases)("is told in one line: kanmon %s", ([args, line, code]) =>
    Effect.gen(function* () {
      // One that serves, as a process of its own ends: the others are told in the same way.
      const run = args.startsWith("serve") ? kanmonProcess : kanmon
      assert.deepStrictEqual(yield* run(args.split(" ")), { code, output: `kanmon: ${line}\n` })
    })
  )
})
