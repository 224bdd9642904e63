/** Blocks of results: they give back what was put in, to the bit, and refuse anything else. */
import { assert, describe, it } from "@effect/vitest"
import { crc32, zstdCompressSync } from "node:zlib"
import { Result } from "effect"
import * as fc from "fast-check"
import { type BlockResult, decode, encode, maxResults } from "../../src/evaluation/ResultBlock.ts"

const instant = fc.integer({ min: 0, max: 253_402_300_799_999 })
/** Most durations are hundredths of a millisecond; others are anything that is finite. */
const duration = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 10_000_000 }).map((hundredths) => hundredths / 100) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000) },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) }
  )
  // Zero has a sign as a number, but not in an answer.
  .map((millis) => (millis === 0 ? 0 : millis))
const text = fc.oneof(fc.json({ maxDepth: 2 }), fc.string({ unit: "binary", maxLength: 50 }), fc.constantFrom("{}", ""))
const anything: fc.Arbitrary<BlockResult> = fc.record({
  scheduledAt: instant,
  slot: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  checkedAt: instant,
  status: fc.constantFrom("up", "degraded", "down", "unknown"),
  responseTime: fc.option(duration),
  timing: fc.option(
    fc
      .record(
        { dns: duration, tls: duration, connect: duration, download: duration, firstByte: duration },
        { requiredKeys: [] }
      )
      .filter((timing) => Object.keys(timing).length > 0)
  ),
  failure: fc.option(text),
  facts: fc.option(text)
})

/** As checks come: an interval that changes on the way, gaps, retries, repeated and late ones, most of them well. */
const history = fc
  .record({
    begin: instant,
    intervals: fc.array(fc.constantFrom(10_000, 60_000, 300_000, 61_000), { minLength: 1, maxLength: 3 }),
    checks: fc.array(
      fc.record({
        step: fc.constantFrom(1, 1, 1, 1, 1, 0, 2, 500, -1),
        waits: fc.integer({ min: -5, max: 900 }),
        well: fc.boolean(),
        phases: fc.tuple(duration, duration, duration, duration, duration),
        other: anything
      }),
      { maxLength: 200 }
    )
  })
  .map(({ begin, checks, intervals }) => {
    let at = begin
    return checks.map(({ other, phases, step, waits, well }, index): BlockResult => {
      const interval = intervals[Math.floor((index * intervals.length) / checks.length)]!
      at = Math.max(0, at + step * interval)
      const [dns, tls, connect, download, firstByte] = phases
      const timing = { dns, tls, connect, download, firstByte }
      const responseTime = Math.round((tls + connect + download + firstByte) * 100) / 100
      const found = well
        ? ({ status: "up", responseTime, timing, failure: null, facts: '{"statusCode":200}' } as const)
        : other
      return { ...found, scheduledAt: at, slot: Math.floor(at / interval), checkedAt: at + waits }
    })
  })

/** The bytes with a checksum that is right. */
const sealed = (bytes: Uint8Array): Buffer => {
  const end = Buffer.alloc(4)
  end.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, end])
}

describe("a block of results", () => {
  it("gives back what was put in", () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(anything, { maxLength: 40 }), history), (results) => {
        const block = encode(results)
        assert.deepStrictEqual(Result.getOrThrow(decode(block)), results)
        assert.deepStrictEqual(
          Result.getOrThrow(decode(block, { detail: "brief" })),
          results.map((result) => ({ ...result, timing: null }))
        )
        assert.deepStrictEqual(
          Result.getOrThrow(decode(block, { detail: "times" })),
          results.map((result) => ({ ...result, slot: 0, timing: null, failure: null, facts: null }))
        )
        assert.deepStrictEqual(
          Result.getOrThrow(decode(block, { detail: "status" })).map(({ checkedAt, scheduledAt, status }) => [
            checkedAt,
            scheduledAt,
            status
          ]),
          results.map(({ checkedAt, scheduledAt, status }) => [checkedAt, scheduledAt, status])
        )
        const some = (scheduledAt: number, status: string) => scheduledAt % 3 === 0 || status === "down"
        assert.deepStrictEqual(
          Result.getOrThrow(decode(block, { keep: some, newest: 20 })),
          results.filter(({ scheduledAt, status }) => some(scheduledAt, status)).slice(-20)
        )
      }),
      { numRuns: 300 }
    )
  })

  it("gives back durations of any size, beside short ones", () => {
    const long = fc
      .tuple(fc.integer({ min: 2 ** 52, max: 2 ** 53 }), fc.integer({ min: -4, max: 20 }))
      .map(([digits, size]) => digits * 2 ** size)
    const short = fc.integer({ min: 0, max: 1_000_000 }).map((thousandths) => thousandths / 1000)
    // What the other phases leave of them is short.
    const check = fc.record({ whole: fc.oneof(long, short), connect: short })
    fc.assert(
      fc.property(fc.array(check, { minLength: 1, maxLength: 10 }), (checks) => {
        const found = { status: "up", slot: 0, scheduledAt: 0, checkedAt: 0, failure: null, facts: null } as const
        const results = checks.map(({ connect, whole }): BlockResult => ({
          ...found,
          responseTime: whole,
          timing: { connect, firstByte: whole }
        }))
        assert.deepStrictEqual(Result.getOrThrow(decode(encode(results))), results)
      }),
      { numRuns: 1000 }
    )
  })

  it("is read when it was written in the first version", () => {
    const block = Buffer.from(
      "ASi1L/0g23UFALQIAxQA///wA0PiNUeC///wAAAAAdTAAAsAAAORAgAgBAD/1/wGAAECAQABBj8BAAEkAQYAAQECAUtbIntcImNvZGVcIjpcInRpbWVvdXRc" +
        "IixcIm1lc3NhZ05vIGFuc3dlclwifSIsc3RhdHVzQzIwMH0iXRMDBCmgKKUKAQAAUgJwAG1gAGxlGAITAA0AYA8wRlMEgzJcBmHlgTCDczWGVUFt57zN" +
        "AMYMF4PZBOkulgU=",
      "base64"
    )
    const facts = '{"statusCode":200}'
    const timing = { dns: 4.1, tls: 31.2, connect: 14, download: 1.2, firstByte: 90 }
    const up = { status: "up", failure: null, facts } as const
    const failure = '{"code":"timeout","message":"No answer"}'
    assert.deepStrictEqual(Result.getOrThrow(decode(block)), [
      {
        ...up,
        scheduledAt: 1_795_046_417_345,
        slot: 29_917_440,
        checkedAt: 1_795_046_417_350,
        responseTime: 136.4,
        timing
      },
      {
        status: "down",
        scheduledAt: 1_795_046_477_345,
        slot: 29_917_441,
        checkedAt: 1_795_046_477_349,
        responseTime: null,
        timing: null,
        failure,
        facts: null
      },
      {
        ...up,
        scheduledAt: 1_795_046_537_345,
        slot: 29_917_442,
        checkedAt: 1_795_046_537_345,
        responseTime: 0.125,
        timing: { connect: 0.125 }
      }
    ])
  })

  it("answers with an error for any other bytes, and never throws", () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }).map(sealed),
      fc
        .uint8Array({ maxLength: 300 })
        .map((bytes) => sealed(Buffer.concat([Uint8Array.of(1), zstdCompressSync(bytes)]))),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => sealed(Buffer.concat([Uint8Array.of(2), bytes])))
    )
    const details = fc.constantFrom("all" as const, "brief" as const, "times" as const, "status" as const)
    fc.assert(
      fc.property(hostile, details, (bytes, detail) => {
        const found = decode(bytes, { detail })
        if (Result.isSuccess(found)) assert.isAtMost(found.success.length, maxResults)
        else assert.strictEqual(found.failure._tag, "BlockUnreadable")
      }),
      { numRuns: 2000 }
    )
  })

  it("refuses a block of which one bit has changed", () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.integer({ min: 0, max: 7 }), (results, place, bit) => {
        const block = Buffer.from(encode(results))
        const at = place % block.length
        block[at] = block[at]! ^ (1 << bit)
        assert.isTrue(Result.isFailure(decode(block)))
        assert.isTrue(Result.isFailure(decode(block.subarray(0, at))))
      })
    )
  })

  it("does not unpack more than a block can hold", () => {
    const bomb = sealed(Buffer.concat([Uint8Array.of(1), zstdCompressSync(Buffer.alloc(100_000_000))]))
    assert.isTrue(Result.isFailure(decode(bomb)))
    const many = Buffer.from([255, 255, 255, 255, 15])
    assert.isTrue(Result.isFailure(decode(sealed(Buffer.concat([Uint8Array.of(1), zstdCompressSync(many)])))))
    assert.isTrue(Result.isFailure(decode(sealed(Buffer.concat([Uint8Array.of(2), many])))))
  })

  it("takes 9 bytes or less for a check of six hours, and 15 or less for one of an hour", () => {
    const block = (count: number) => encode(ordinary(count)).length / count
    assert.isAtMost(block(360), 9)
    assert.isAtMost(block(60), 15)
  })
})

/** Checks a minute as an ordinary https target answers them: durations vary by a tenth, few fail, the address changes. */
const ordinary = (count: number): ReadonlyArray<BlockResult> => {
  let seed = 1
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) / 2 ** 24
  }
  const around = (middle: number, share: number): number => {
    const bell = random() + random() + random() + random() - 2
    return Math.round(middle * (1 + bell * share * 1.7) * 100) / 100
  }
  return Array.from({ length: count }, (_, index): BlockResult => {
    const scheduledAt = 1_795_046_400_000 + index * 60_000 + 17_345
    const down = index % 300 > 297
    const [dns, tls, connect] = [around(4, 0.5), around(31, 0.06), around(14, 0.06)]
    const [download, firstByte] = [around(1.2, 0.3), around(90 + 20 * Math.sin(index / 200), 0.1)]
    return {
      scheduledAt,
      slot: Math.floor(scheduledAt / 60_000),
      checkedAt: scheduledAt + Math.floor(random() * 12),
      status: down ? "down" : "up",
      responseTime: Math.round((tls + connect + download + firstByte) * 100) / 100,
      timing: { dns, tls, connect, download, firstByte },
      failure: down ? '{"code":"status_code","message":"Expected 200, got 503"}' : null,
      facts: JSON.stringify({
        address: index % 200 < 100 ? "192.0.2.1" : "192.0.2.2",
        statusCode: down ? 503 : 200,
        certificate: {
          subject: "shop.example",
          issuer: "R3",
          fingerprint256: "ab".repeat(32),
          names: ["shop.example"]
        },
        httpVersion: "1.1"
      })
    }
  })
}
