/** A network that presents unknown credentials is slowed down; valid credentials of the same network keep working. */
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { settings } from "../../../../tests/support/ApiSettingsOf.ts"

/** One tenth of the wrong credentials of a network. */
const signIns = 1
const limit = 10

const here = "192.0.2.1"
const elsewhere = "198.51.100.1"

/** A database that knows some credentials, counts questions, and answers when it is told to. */
const database = (known: ReadonlyArray<string>) => {
  const gates: Array<Deferred.Deferred<void>> = []
  const state = { asked: 0, running: 0, most: 0, isHeld: false }
  const find = (credential: string): Effect.Effect<string, "unknown"> =>
    Effect.gen(function* () {
      state.asked++
      state.running++
      state.most = Math.max(state.most, state.running)
      if (state.isHeld) {
        const gate = yield* Deferred.make<void>()
        gates.push(gate)
        yield* Deferred.await(gate)
      }
      return yield* known.includes(credential) ? Effect.succeed(credential) : Effect.fail("unknown" as const)
    }).pipe(Effect.ensuring(Effect.sync(() => void state.running--)))
  const answerNext = Effect.suspend(() => {
    const gate = gates.shift()
    return gate === undefined ? Effect.void : Deferred.succeed(gate, undefined)
  })
  return { state, find, answerNext }
}

const asking = (find: (credential: string) => Effect.Effect<string, "unknown">) =>
  Effect.map(
    CredentialLookups,
    ({ look }) =>
      (network: string, credential: string) =>
        Effect.result(look(network, credential, find(credential)))
  )

/** Lets everything that can go on do so. */
const settled = Effect.repeat(Effect.yieldNow, { times: 50 })

const test = (name: string, body: () => Effect.Effect<unknown, never, CredentialLookups>) =>
  it.effect(name, () =>
    Effect.provide(
      body(),
      Layer.provide(CredentialLookups.layer, settings({ limits: { reads: 1, writes: 1, signIns, signals: 1 } }))
    )
  )

describe("looking up credentials", () => {
  test("runs at most as many at once for one network as it may present wrong ones, and one more in turn", () =>
    Effect.gen(function* () {
      const { answerNext, find, state } = database([])
      const ask = yield* asking(find)
      state.isHeld = true
      const all = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => `guess ${index}`),
        (guess) => Effect.forkChild(ask(here, guess), { startImmediately: true })
      )
      yield* settled
      assert.strictEqual(state.running, limit + 1)
      while (all.some((fiber) => fiber.pollUnsafe() === undefined)) {
        yield* answerNext
        yield* settled
      }
      assert.strictEqual(state.most, limit + 1)
    }))

  test("goes on one at a time over the limit, for all networks together two at a time, and refuses only a crowd", () =>
    Effect.gen(function* () {
      const { answerNext, find, state } = database(["new"])
      const ask = yield* asking(find)
      const networks = [here, elsewhere, "203.0.113.1"]
      for (const network of networks)
        for (let guess = 0; guess < limit; guess++) yield* ask(network, `${network} ${guess}`)
      state.isHeld = true
      state.most = 0
      const late = yield* Effect.forEach(networks, (network) =>
        Effect.forEach(
          Array.from({ length: 400 }, (_, guess) => `${network} late ${guess}`),
          (guess) => Effect.forkChild(ask(network, guess), { startImmediately: true })
        )
      )
      yield* settled
      assert.strictEqual(state.running, 2)
      const refused = late.map((fibers) => fibers.filter((fiber) => fiber.pollUnsafe() !== undefined).length)
      assert.isTrue(
        refused.every((count) => count > 100 && count < 400),
        refused.join()
      )
      state.isHeld = false
      while (late.flat().some((fiber) => fiber.pollUnsafe() === undefined)) {
        yield* answerNext
        yield* settled
      }
      assert.strictEqual(state.most, 2)
    }))

  test("finds a valid credential that is new behind an address from which others guess, and lets known ones pass", () =>
    Effect.gen(function* () {
      const { answerNext, find, state } = database(["known", "new"])
      const ask = yield* asking(find)
      assert.strictEqual((yield* ask(here, "known"))._tag, "Success")
      for (let guess = 0; guess < 3 * limit; guess++) assert.strictEqual((yield* ask(here, `${guess}`))._tag, "Failure")
      assert.strictEqual((yield* ask(here, "new"))._tag, "Success")
      // A question that hangs holds up only credentials that are not known.
      state.isHeld = true
      const guess = yield* Effect.forkChild(ask(here, "one more"), { startImmediately: true })
      yield* settled
      state.isHeld = false
      for (const credential of ["known", "new"])
        assert.strictEqual((yield* ask(here, credential))._tag, "Success", credential)
      yield* answerNext
      yield* Fiber.join(guess)
    }))

  test("counts none of those that were found, and forgets wrong ones after a minute", () =>
    Effect.gen(function* () {
      const valid = Array.from({ length: 5 * limit }, (_, index) => `valid ${index}`)
      const { find, state } = database(valid)
      const ask = yield* asking(find)
      for (const credential of valid) yield* ask(here, credential)
      state.isHeld = true
      const guess = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, index) => `guess ${index}`),
          (credential) => Effect.forkChild(ask(here, credential), { startImmediately: true })
        )
      yield* guess(limit)
      yield* settled
      assert.strictEqual(state.running, limit)
      yield* TestClock.adjust("61 seconds")
      yield* guess(limit)
      yield* settled
      assert.strictEqual(state.running, 2 * limit)
    }))

  test("goes on to ask about a credential that was valid, and trusts it no more once it is not", () =>
    Effect.gen(function* () {
      const known = ["ended"]
      const { answerNext, find, state } = database(known)
      const ask = yield* asking(find)
      yield* ask(here, "ended")
      known.pop()
      assert.strictEqual((yield* ask(here, "ended"))._tag, "Failure")
      for (let guess = 0; guess < limit; guess++) yield* ask(here, `${guess}`)
      state.isHeld = true
      const both = yield* Effect.forEach(["ended", "other"], (credential) =>
        Effect.forkChild(ask(here, credential), { startImmediately: true })
      )
      yield* settled
      assert.strictEqual(state.running, 1)
      state.isHeld = false
      yield* answerNext
      yield* Fiber.joinAll(both)
    }))
})
