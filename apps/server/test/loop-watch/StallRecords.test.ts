import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { LoopStall } from "@kanmon/core/LoopStall"
import { Effect } from "effect"
import * as Handover from "../../src/loop-watch/Handover.ts"
import { commandOf, isSupervised } from "../../src/loop-watch/Restart.ts"
import { append, fileIn } from "../../src/loop-watch/StallFile.ts"
import * as StallRecords from "../../src/loop-watch/StallRecords.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(tmpdir(), "kanmon-stalls-"))),
  (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
)

const stall = (at: number): LoopStall => ({
  at,
  release: "1.0.0",
  stalledMillis: 5000,
  activity: { kind: "check", key: "mon_1", version: "1", label: "http", size: null },
  plugin: null,
  stack: [{ function: "parse", file: "a.mjs", line: 1, column: 2 }],
  inFlight: []
})

describe("StallRecords", () => {
  it.effect("reads what was appended, also after a line that was cut short", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      assert.deepStrictEqual(StallRecords.read(directory), [])
      append(directory, stall(1))
      fs.appendFileSync(fileIn(directory), `{"at":2,"release":`)
      append(directory, stall(3))
      assert.deepStrictEqual(StallRecords.read(directory), [stall(1), stall(3)])
      StallRecords.replace(directory, [stall(3)])
      assert.deepStrictEqual(StallRecords.read(directory), [stall(3)])
    }).pipe(Effect.scoped)
  )
})

describe("Handover", () => {
  it.effect("is for the next process alone, and only at once", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      assert.isFalse(Handover.isFresh(directory, 1000))
      Handover.begin(directory, 1000)
      assert.isTrue(Handover.isFresh(directory, 2000))
      assert.isFalse(Handover.isFresh(directory, 1000 + 120_000))
      assert.isFalse(Handover.isFresh(directory, 500))
      Handover.end(directory)
      assert.isFalse(Handover.isFresh(directory, 2000))
    }).pipe(Effect.scoped)
  )
})

describe("Restart", () => {
  const terminal = { pid: 4711, parent: 4700, environment: {}, isContainer: false }

  it("leaves it to systemd, pm2 and containers", () => {
    assert.isFalse(isSupervised(terminal))
    // A session of its own belongs to process 1 as well.
    assert.isFalse(isSupervised({ ...terminal, parent: 1 }))
    assert.isTrue(isSupervised({ ...terminal, environment: { INVOCATION_ID: "of systemd" } }))
    assert.isTrue(isSupervised({ ...terminal, environment: { pm_id: "0" } }))
    assert.isTrue(isSupervised({ ...terminal, isContainer: true, parent: 1 }))
    assert.isTrue(isSupervised({ ...terminal, isContainer: true, pid: 1, parent: 0 }))
  })

  it("repeats the command with the options of Node", () => {
    const started = { execPath: "/bin/node", execArgv: ["--max-semi-space-size=8"], argv: ["node", "main.js", "serve"] }
    assert.deepStrictEqual(commandOf(started), ["/bin/node", "--max-semi-space-size=8", "main.js", "serve"])
  })
})
