import { assert, describe, it } from "@effect/vitest"
import { QueryClient } from "@tanstack/react-query"
import * as fc from "fast-check"
import { keepEntry, mutationOf, type Write, withoutEntry } from "../src/api/write.ts"
import { asExpected, handlingKey } from "../src/features/alerts/handling.ts"

const list = ["list"]

const attempt = <Answer, Input>(client: QueryClient, write: Write<Input, Answer>, input: Input) =>
  client
    .getMutationCache()
    .build(client, mutationOf(client, write))
    .execute(input)
    .then(
      (value) => ({ value }),
      (error: Error) => ({ error: error.message })
    )

describe("a write", () => {
  it("waits for those of its scope that came before, whatever became of them", async () => {
    const act = fc.record({ scope: fc.constantFrom("a", "b"), fails: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 10 }), fc.scheduler(), async (acts, scheduler) => {
        const client = new QueryClient()
        const running = new Set<string>()
        const order: Array<number> = []
        const outcomes = acts.map(({ fails, scope }, index) =>
          attempt(
            client,
            {
              scope,
              send: async (_: number) => {
                assert.isFalse(running.has(scope), "two writes at once")
                running.add(scope)
                order.push(index)
                await scheduler.schedule(Promise.resolve(), `write ${index}`)
                running.delete(scope)
                if (fails) throw new Error(`write ${index}`)
                return index
              }
            },
            index
          )
        )
        assert.deepStrictEqual(
          await scheduler.waitFor(Promise.all(outcomes)),
          acts.map(({ fails }, index) => (fails ? { error: `write ${index}` } : { value: index }))
        )
        for (const scope of ["a", "b"]) {
          const own = order.filter((index) => acts[index]!.scope === scope)
          assert.deepStrictEqual(
            own,
            own.toSorted((one, other) => one - other)
          )
        }
      })
    )
  })

  it("makes stale what depends on its input, and after a refusal only what may have caused that", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("own", "other"), fc.boolean(), async (whose, fails) => {
        const client = new QueryClient()
        for (const key of ["own", "other", "all"]) client.setQueryData([key], key)
        await attempt(
          client,
          {
            send: async (_: string) => {
              if (fails) throw new Error("refused")
            },
            stale: (input, isDone) => (isDone ? [["all"], [input]] : [[input]])
          },
          whose
        )
        const stale = ["own", "other", "all"].filter((key) => client.getQueryState([key])?.isInvalidated)
        assert.deepStrictEqual(stale, fails ? [whose] : [whose, "all"])
      })
    )
  })

  it("takes entries out at once, and puts back to their places those that could not be removed", async () => {
    const entries = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d", "e"), { minLength: 1 })
    const removals = entries.chain((ids) =>
      fc.tuple(fc.constant(ids), fc.array(fc.boolean(), { minLength: ids.length, maxLength: ids.length }))
    )
    await fc.assert(
      fc.asyncProperty(removals, fc.scheduler(), async ([ids, refused], scheduler) => {
        const client = new QueryClient()
        client.setQueryData(
          list,
          ids.map((id) => ({ id }))
        )
        const write: Write<string, unknown> = {
          send: async (id) => {
            assert.notInclude(JSON.stringify(client.getQueryData(list)), id)
            await scheduler.schedule(Promise.resolve(), id)
            if (refused[ids.indexOf(id)] === true) throw new Error(id)
          },
          expect: withoutEntry(list)
        }
        await scheduler.waitFor(Promise.all(ids.map((id) => attempt(client, write, id))))
        assert.deepStrictEqual(
          client.getQueryData<ReadonlyArray<{ readonly id: string }>>(list)!.map(({ id }) => id),
          ids.filter((_, index) => refused[index])
        )
      })
    )
  })

  it("makes queries stale when it succeeds and when it is refused, and leaves their pages before", async () => {
    for (const fails of [false, true]) {
      const client = new QueryClient()
      client.setQueryData(list, [])
      const isStale = () => client.getQueryState(list)?.isInvalidated
      const left: Array<boolean | undefined> = []
      await attempt(
        client,
        {
          send: (_: string) => (fails ? Promise.reject(new Error("refused")) : Promise.resolve()),
          leave: () => left.push(isStale()),
          stale: [list]
        },
        ""
      )
      assert.isTrue(isStale())
      assert.deepStrictEqual(left, fails ? [] : [false])
    }
  })

  it("puts what is new first, once, and what is changed in its place", () => {
    const client = new QueryClient()
    const named = (id: string, name = "") => ({ id, name })
    keepEntry(client, list, named("a"), true)
    keepEntry(client, list, named("b"), true)
    keepEntry(client, list, named("a", "changed"), false)
    assert.deepStrictEqual(client.getQueryData(list), [named("b"), named("a", "changed")])
    keepEntry(client, list, named("a"), true)
    assert.deepStrictEqual(client.getQueryData(list), [named("a"), named("b")])
  })
})

describe("an answer about an alert", () => {
  const alert = { id: "alt_1", state: "open" } as Parameters<typeof asExpected>[1]

  it("keeps the act that is on its way, and not those that wait for it", async () => {
    const client = new QueryClient()
    const handle = (type: "acknowledge" | "unacknowledge") => {
      const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const outcome = attempt(
        client,
        {
          key: handlingKey(alert.id),
          scope: "alert",
          send: (_: object) => {
            sent.resolve()
            return answer.promise
          }
        },
        { alert, act: { type }, name: "Ada" }
      )
      return { sent: sent.promise, answer: answer.resolve, outcome }
    }
    const first = handle("acknowledge")
    const second = handle("unacknowledge")
    await first.sent
    assert.strictEqual(asExpected(client, alert).state, "acknowledged")
    assert.strictEqual(asExpected(client, { ...alert, id: "alt_2" } as typeof alert).state, "open")
    first.answer()
    await second.sent
    assert.strictEqual(asExpected(client, { ...alert, state: "acknowledged" }).state, "open")
    second.answer()
    await second.outcome
    assert.strictEqual(asExpected(client, alert).state, "open")
  })
})
