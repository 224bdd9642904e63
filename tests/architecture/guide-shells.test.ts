/**
 * The shell blocks of each guide can be pasted, in order, into a fresh shell: bash itself reads them, with commands that do
 * nothing, and ends at a variable that no block has set. Programs that not every Linux has are named.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Folder from "../support/Folder.ts"

const root = path.resolve(import.meta.dirname, "../..")
const run = promisify(execFile)

/** What a guide may ask for: of Kanmon, of every Linux, and of the product that the guide is about. */
const programs = new Set(
  [
    "kanmon npm npx node git curl docker kubectl nats nats-server openssl",
    "pg_dump pg_restore createdb createuser systemctl systemd-run journalctl",
    "cat chmod chown cp date grep id install mkdir mv rm runuser scp sed uuidgen vi",
    // The reader's own job.
    "backup.sh"
  ].flatMap((line) => line.split(" "))
)

/** Ends a shell that meets a variable without a value; notes each program that it would start, and starts none. */
const prelude = `set -u
command_not_found_handle() { echo "$1" >> "$NOTED"; }
export NOTED="$PWD/.noted"
cd() { :; }
PATH=/nowhere
`

interface Block {
  readonly line: number
  readonly text: string
}

const blocksOf = (text: string): ReadonlyArray<Block> =>
  [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(({ 1: indent, 2: body, index }) => ({
    line: text.slice(0, index).split("\n").length + 1,
    text: body!.replaceAll(new RegExp(`^${indent!}`, "gm"), "")
  }))

/** What bash objects to in these blocks, one after the other, and the programs that they ask for. */
const pasted = Effect.fnUntraced(function* (blocks: ReadonlyArray<Block>) {
  const folder = yield* Folder.make({})
  const script = [
    prelude,
    ...blocks.map(
      ({ line, text }) => `LINE_OF_GUIDE=${line}\ntrap 'echo "ended in the block of line ${line}" >&2' EXIT\n${text}`
    ),
    "trap - EXIT"
  ].join("\n")
  const said = yield* Effect.promise(() => {
    const shell = run("/bin/bash", ["--norc", "--noprofile", "-c", script], {
      cwd: folder,
      env: { HOME: folder },
      timeout: 60_000
    })
    // A block may read what a person types: nothing is typed here, so it goes on at once.
    shell.child.stdin?.end()
    return shell.then(
      () => "",
      (error: { readonly stderr?: string; readonly message: string }) => error.stderr ?? error.message
    )
  })
  const noted = yield* Effect.promise(() => fs.readFile(path.join(folder, ".noted"), "utf8").catch(() => ""))
  const objections = said.split("\n").filter((line) => /unbound variable|syntax error|ended in the block/.test(line))
  return { objections, programs: new Set(noted.split("\n").filter((name) => name !== "")) }
}, Effect.scoped)

const guides: Array<string> = []
for await (const file of fs.glob("{README.md,docs/{guide,operate}/*.md}", { cwd: root })) guides.push(file)

describe("the shell blocks of a guide", () => {
  it.live.each(guides)("can be pasted in order: %s", (guide) =>
    Effect.gen(function* () {
      const blocks = blocksOf(yield* Effect.promise(() => fs.readFile(path.join(root, guide), "utf8")))
      if (blocks.length === 0) return
      const found = yield* pasted(blocks)
      assert.deepStrictEqual(found.objections, [], guide)
      for (const name of found.programs) assert.isTrue(programs.has(name) || name.includes("/"), `${guide}: ${name}`)
    })
  )

  it.live.each([
    ["curl $base/incidents/$incident", /incident|base/],
    ["base=x\ncurl ${base}/$monitor", /monitor: unbound/],
    ["cp .env.example .env && $EDITOR .env", /EDITOR: unbound/],
    ["nats-server --signal reload=<pid>", /syntax error/],
    ["key=x; curl -d '{\"a\":\"'$shop'\"}' $key", /shop: unbound/]
  ] as const)("are refused where they are not whole: %s", ([text, objection]) =>
    Effect.gen(function* () {
      const { objections } = yield* pasted([{ line: 1, text }])
      assert.match(objections.join("\n"), objection)
    })
  )

  it.live("are refused where they ask for what Linux lacks, and see functions and variables of earlier blocks", () =>
    Effect.gen(function* () {
      const { objections, programs: asked } = yield* pasted([
        { line: 1, text: "post() { curl $base$1; }\nbase=x" },
        { line: 9, text: "id=$(post /monitors | sed s/a/b/) && open $base/$id" }
      ])
      assert.deepStrictEqual(objections, [])
      assert.sameMembers([...asked], ["curl", "sed", "open"])
      assert.isFalse(programs.has("open"))
    })
  )
})
