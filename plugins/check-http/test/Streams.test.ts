/** Answers that have no end are judged once their headers and the rules for their text are decided. */
import { assert, describe, it } from "@effect/vitest"
import * as Targets from "@kanmon/testkit/Targets"
import { Effect } from "effect"
import { attempt, timedOut } from "./Attempt.ts"

/** Sends headers and these parts, one after another, and then nothing without closing the connection. */
const streaming = (type: string, parts: ReadonlyArray<string>, onSilence: () => void = () => {}) =>
  Targets.http((_request, response) => {
    response.writeHead(200, { "content-type": type })
    response.flushHeaders()
    const next = (at: number): void => {
      if (at < parts.length) response.write(parts[at]!, () => setImmediate(next, at + 1))
      else onSilence()
    }
    next(0)
  })

describe("an answer that has no end", () => {
  it.live.each([
    "text/event-stream",
    "Text/Event-Stream; charset=utf-8",
    "multipart/x-mixed-replace;boundary=x",
    "audio/mpeg",
    "video/mp4"
  ])("is up by its headers: %s", (type) =>
    Effect.gen(function* () {
      const target = yield* streaming(type, ["data: 1\n\n"])
      const found = yield* attempt(target.port)
      assert.strictEqual(found.status, "up", JSON.stringify(found.failure))
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )

  it.live.each<readonly [object, string, string | undefined]>([
    [{ bodyContains: "second" }, "up", undefined],
    [{ bodyMatches: "fi.st", bodyContains: "second" }, "up", undefined],
    [{ bodyNotContains: "third" }, "up", undefined],
    [{ bodyNotContains: "second" }, "down", "body_mismatch"],
    [{ bodyNotContains: "second", bodyContains: "nowhere" }, "down", "body_mismatch"],
    [{ expectedStatus: 204 }, "down", "status_mismatch"],
    [{ headerAssertions: [{ header: "x", operator: "exists" }] }, "down", "header_mismatch"]
  ])("is judged once its rules are decided: %j", ([settings, status, code]) =>
    Effect.gen(function* () {
      const target = yield* streaming("text/event-stream", ["data: first\n\n", "data: sec", "ond\n\n"])
      const found = yield* attempt(target.port, { ...settings })
      assert.deepStrictEqual([found.status, found.failure?.code], [status, code], JSON.stringify(found.failure))
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )

  it.effect("times out when the text that is expected does not come, with what came", () =>
    Effect.gen(function* () {
      let isSilent = false
      const target = yield* streaming("text/event-stream", ["data: first\n\n"], () => (isSilent = true))
      const found = yield* timedOut(target.port, { bodyContains: "second" }, () => isSilent)
      assert.deepStrictEqual([found.status, found.failure?.code], ["down", "timeout"])
      assert.strictEqual(found.capture?.body, "data: first\n\n")
      yield* Targets.closed(target)
    }).pipe(Effect.scoped)
  )

  it.live("is read to its end when it has one", () =>
    Effect.gen(function* () {
      const target = yield* Targets.http(
        Targets.answer({ headers: { "content-type": "audio/mpeg", "content-length": "3" }, body: "abc" })
      )
      assert.strictEqual((yield* attempt(target.port, { bodyContains: "c" })).status, "up")
      const chunked = yield* Targets.http((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end("data: only\n\n")
      })
      const found = yield* attempt(chunked.port, { bodyContains: "other" })
      assert.deepStrictEqual([found.status, found.failure?.code], ["down", "body_mismatch"])
    }).pipe(Effect.scoped)
  )
})
