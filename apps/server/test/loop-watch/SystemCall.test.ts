import { assert, it } from "@effect/vitest"
import { writtenTo } from "../../src/loop-watch/SystemCall.ts"

it("tells what a thread writes to, on both kinds of machine", () => {
  const rest = "0x3193a690 0x2710 0xffff 0x0 0x7fffbe674ce8 0x7fffbe6708f0 0x7fbf3e23638f"
  assert.strictEqual(writtenTo(`1 0x15 ${rest}`, "x64"), 21)
  assert.strictEqual(writtenTo(`20 0x2 ${rest}`, "x64"), 2)
  assert.strictEqual(writtenTo(`64 0x1 ${rest}`, "arm64"), 1)
})

it("knows no descriptor of other calls, of other machines and of a thread that runs", () => {
  for (const call of [
    "202 0x7fb7caaa5140 0x189",
    "running",
    "",
    "-1 0x7ffd 0x0",
    "0 0x1 0x2",
    "1 0xffffffffffffffff 0x0"
  ])
    assert.isUndefined(writtenTo(call, "x64"))
  assert.isUndefined(writtenTo("1 0x1 0x0", "riscv64"))
})
