/** Renderings in memory: made once, and never more of them than there is room for. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Rendering, PageViews, ViewRoom } from "../../src/status-pages/PageViews.ts"
import { collect } from "../../../../tests/support/Garbage.ts"
import { samplePage } from "../../../../tests/support/SamplePage.ts"

const counting = (length: number) => {
  const made: Array<string> = []
  const rendering = (name: string): Rendering => ({
    name,
    contentType: "text/plain",
    render: () => {
      made.push(name)
      return name.padEnd(length, "x")
    }
  })
  return { made, rendering }
}

describe("renderings of pages", () => {
  it("makes each once while there is room", async () => {
    const { made, rendering } = counting(100)
    const views = new PageViews(samplePage, new ViewRoom(1_000_000))
    const all = await Promise.all([views.view(rendering("a")), views.view(rendering("a")), views.view(rendering("b"))])
    assert.deepStrictEqual(made, ["a", "b"])
    assert.strictEqual(all[0], all[1])
  })

  it("stays within the limit for any sequence of requests, with correct answers", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(40)), { maxLength: 60 }),
        fc.integer({ min: 1_500, max: 20_000 }),
        async (asked, limit) => {
          const { rendering } = counting(1_000)
          const room = new ViewRoom(limit)
          const pages = [0, 1, 2].map(() => new PageViews(samplePage, room))
          for (const [page, name] of asked) {
            const { plain } = await pages[page]!.view(rendering(`n${name}`))
            assert.strictEqual(Buffer.from(plain).toString(), `n${name}`.padEnd(1_000, "x"))
            assert.isAtMost(room.used, limit)
          }
          const kept = pages.flatMap((views) => [...views.kept])
          assert.isAtMost(kept.length * 1_000, limit)
        }
      ),
      { numRuns: 30 }
    ))

  it("drops the least recently used first", async () => {
    const { made, rendering } = counting(1_000)
    const views = new PageViews(samplePage, new ViewRoom(3_000))
    for (const name of ["a", "b", "a", "c", "a", "b"]) await views.view(rendering(name))
    assert.deepStrictEqual(made, ["a", "b", "c", "b"])
  })

  it("uses no room for a page that can no longer be found, and still answers present readers", async () => {
    const { made, rendering } = counting(1_000)
    const room = new ViewRoom(10_000)
    const [old, other] = [new PageViews(samplePage, room), new PageViews(samplePage, room)]
    await other.view(rendering("other"))
    const before = room.used
    await old.view(rendering("a"))
    const late = old.view(rendering("b"))
    old.retire()
    const { plain } = await late
    assert.strictEqual(Buffer.from(plain).toString(), "b".padEnd(1_000, "x"))
    assert.strictEqual(await old.view(rendering("b")), await late)
    assert.strictEqual(room.used, before)
    await other.view(rendering("other"))
    assert.deepStrictEqual(made, ["other", "a", "b"])
  })

  it("does not keep the page in memory with its renderings", async () => {
    const room = new ViewRoom(10_000)
    const read = async (): Promise<WeakRef<object>> => {
      const page = { ...samplePage }
      await new PageViews(page, room).view(counting(1_000).rendering("a"))
      return new WeakRef(page)
    }
    const page = await read()
    await collect()
    assert.isAbove(room.used, 1_000)
    assert.isUndefined(page.deref())
  })
})
