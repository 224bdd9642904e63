/** Operations on many monitors: which the list shows, and why the most were refused. */
import { assert, it } from "@effect/vitest"
import { mainReason, type OperationRecord, shownOperations } from "../src/features/monitors/shownOperations.ts"

const now = Date.parse("2026-11-28T10:00:00.000Z")
const operation = (id: string, more: Partial<OperationRecord> = {}): OperationRecord => ({
  id,
  projectId: "prj_1",
  action: "update",
  status: "running",
  total: 2400,
  done: 700,
  failed: 0,
  failures: [],
  summary: "",
  createdBy: { kind: "user", name: "Ada" },
  createdAt: "2026-11-28T09:59:00.000Z",
  finishedAt: null,
  ...more
})
const ended = (id: string, minutesAgo: number, more: Partial<OperationRecord> = {}) =>
  operation(id, { status: "completed", finishedAt: new Date(now - minutesAgo * 60_000).toISOString(), ...more })

it("shows what runs, and what ended lately until it is closed", () => {
  const all = [operation("op_4"), ended("op_3", 1), ended("op_2", 2), ended("op_1", 60)]
  const ids = (closed: ReadonlyArray<string>) => shownOperations(all, closed, now).map(({ id }) => id)
  assert.deepStrictEqual(ids([]), ["op_2", "op_3", "op_4"])
  // What runs cannot be closed.
  assert.deepStrictEqual(ids(["op_3", "op_4"]), ["op_2", "op_4"])
})

it("names the reason that most of the refused ones have", () => {
  const failures = ["gone", "too short", "too short"].map((message) => ({ monitorId: "mon_1", name: "Shop", message }))
  assert.strictEqual(mainReason(ended("op_1", 1, { failed: 3, failures })), "too short")
  assert.strictEqual(mainReason(operation("op_1")), "")
})
