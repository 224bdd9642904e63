/**
 * The contract of a check plugin: `suite(check)` tests it with the check's own example. The check runs in several simulated
 * networks on loopback, so that no configuration is needed and nothing leaves the machine.
 */
import { eventually, interrupted } from "./Eventually.ts"
import { assert, describe, it } from "@effect/vitest"
import { BoundedEvaluator } from "@kanmon/core/BoundedEvaluator"
import type { Attempt, Capabilities, Check, CheckFailed, Passed, Stage } from "@kanmon/core/Check"
import { CheckRunner } from "@kanmon/core/CheckRunner"
import { shownWhenOf } from "@kanmon/core/ShownWhen"
import { stages as known } from "@kanmon/core/Stage"
import { english } from "@kanmon/domain/ReasonsEnglish"
import { sentence } from "@kanmon/domain/ReasonText"
import { Effect, Exit, Fiber, Cause, Layer, Result, Schema, type Scope } from "effect"
import * as CheckWorlds from "./CheckWorlds.ts"
import type { World } from "./CheckWorlds.ts"
import * as Targets from "./Targets.ts"
import { marked, oddities } from "./internal/OddConfigs.ts"
import * as Titles from "./internal/Titles.ts"

/** The host drops larger facts from an observation. */
const maxFacts = 32_768

type Made = Effect.Effect<World, never, Scope.Scope>

/** Networks in which the check ends on its own or by the host's timeout. */
const worlds: Readonly<Record<string, Made>> = {
  "in a healthy network": CheckWorlds.answering,
  "where everything is refused": CheckWorlds.refusing,
  "where the probe is offline": CheckWorlds.offline,
  "where the target sends garbage": CheckWorlds.babbling,
  "where answers are endless": CheckWorlds.endless,
  "where connections break": CheckWorlds.breaking
}

const stuckWorlds: Readonly<Record<string, Made>> = {
  "connections never open": CheckWorlds.stuck,
  "targets stay silent": CheckWorlds.silent,
  "targets never answer": CheckWorlds.mute
}

interface Attempted {
  /** Undefined when the host's timeout ended it. */
  readonly exit: Exit.Exit<Passed, CheckFailed> | undefined
  readonly stages: ReadonlyArray<Stage>
}

const start = (check: Check, config: unknown, world: World, stages: Array<Stage>) => {
  const attempt: Attempt = { region: "test-lab", stage: (stage) => void stages.push(stage) }
  const { run } = Result.getOrThrow(check.prepare(config))
  return (run(attempt) as Effect.Effect<Passed, CheckFailed, Capabilities>).pipe(
    Effect.provideContext(world.capabilities),
    Effect.provide(BoundedEvaluator.layer)
  )
}

/** One attempt with a timeout, as the host makes it. */
const attempted = (check: Check, config: unknown, world: World): Effect.Effect<Attempted> => {
  const stages: Array<Stage> = []
  return Effect.suspend(() => start(check, config, world, stages)).pipe(
    Effect.exit,
    Effect.timeoutOrElse({ duration: "3 seconds", orElse: () => Effect.succeed(undefined) }),
    Effect.map((exit) => ({ exit, stages }))
  )
}

/** The host's own runner, in a network. */
const hostOf = ({ capabilities }: World) =>
  CheckRunner.layer({ region: "test-lab", concurrency: 1, hostConcurrency: 1 }).pipe(
    Layer.provide([Layer.succeedContext(capabilities), BoundedEvaluator.layer])
  )

const outcomeOf = (exit: Exit.Exit<Passed, CheckFailed>): Passed | CheckFailed => {
  if (Exit.isSuccess(exit)) return exit.value
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  assert.isDefined(failure, `a defect: ${Cause.pretty(exit.cause)}`)
  return failure!.error
}

const wordsOf = (exit: Exit.Exit<Passed, CheckFailed>): string =>
  Exit.isSuccess(exit) ? "it passed" : messageOf(Cause.squash(exit.cause))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isFailure = (outcome: Passed | CheckFailed): outcome is CheckFailed => "_tag" in outcome

const wellFormed = (outcome: Passed | CheckFailed): void => {
  const { facts = {}, responseTime, timing = {} } = outcome
  const times = [...(responseTime === undefined ? [] : [responseTime]), ...Object.values(timing)]
  for (const time of times) assert.isTrue(Number.isFinite(time) && time >= 0, `a time of ${time}`)
  assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts, "facts are plain JSON")
  assert.isAtMost(JSON.stringify(facts).length, maxFacts)
  const failure = isFailure(outcome) ? outcome : outcome.degraded
  if (!isFailure(outcome)) assert.isDefined(responseTime, "what passed took some time")
  if (failure === undefined) return
  assert.match(failure.code, /^[a-z][a-z0-9_]{1,60}$/)
  assert.match(failure.message, /^\P{Cc}{10,1000}$/u, "one sentence, without control characters")
  if (failure.explanation !== undefined)
    assert.strictEqual(
      sentence(english, failure.explanation),
      failure.message,
      "the explanation says what the message says"
    )
}

interface Property {
  readonly description?: string
  readonly allOf?: ReadonlyArray<Property>
  readonly anyOf?: ReadonlyArray<Property>
}

const properties = (check: Check): Readonly<Record<string, Property>> => {
  const schema: { readonly properties?: Record<string, Property> } = Schema.toJsonSchemaDocument(check.config).schema
  return schema.properties ?? {}
}

/** Where the reference documentation finds a field's description. */
const described = ({ allOf = [], anyOf = [], description }: Property): boolean =>
  (description ?? "") !== "" || [...allOf, ...anyOf].some(described)

/** The laws of kinds that wait for signals: no probe runs them, so the others do not apply. */
const waits = (check: Check): void => {
  const day = 86_400_000
  const createdAt = Date.parse("2026-01-01T00:00:00Z")
  const { objection, overdueAt } = Result.getOrThrow(check.passive!(check.example))

  it("computes a deadline after the last signal, or none before the first, deterministically", () => {
    for (const interval of [10, 60, 3600, 86_400, 366 * 86_400]) {
      for (const lastSignal of [null, createdAt, createdAt + 0.3 * day, createdAt + 400 * day]) {
        const expected = { interval, lastSignal, createdAt, startedAt: null }
        const deadline = overdueAt(expected)
        assert.strictEqual(overdueAt(expected), deadline)
        if (deadline === null && lastSignal === null) continue
        assert.isNotNull(deadline)
        assert.isTrue(Number.isFinite(deadline), String(deadline))
        assert.isAbove(deadline!, lastSignal ?? createdAt)
      }
    }
  })

  it("computes a deadline for a running job", () => {
    const startedAt = createdAt + day
    assert.isAbove(overdueAt({ interval: 60, lastSignal: createdAt, createdAt, startedAt }) ?? 0, startedAt)
  })

  it("accepts missing metrics", () => {
    assert.isUndefined(objection({}, ""))
    assert.isUndefined(objection({ constructor: 1, surely_no_metric: Number.NaN }, "done"))
  })
}

/** Runs the whole contract for a check. */
export const suite = (check: Check): void => {
  const { example } = check
  const inWorld = (world: Made, body: (world: World) => Effect.Effect<void>) =>
    Effect.scoped(Effect.flatMap(world, body))
  const names = Object.keys(check.config.fields)

  describe(`the check ${check.type}`, () => {
    it("accepts its own example and the normalized form of it", () => {
      const once = Result.getOrThrow(check.normalize(example))
      assert.deepStrictEqual(Result.getOrThrow(check.normalize(once)), once)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(once)), once)
    })

    it("describes itself and each of its fields", () => {
      assert.match(check.summary, /^\P{Cc}{10,200}\.$/u)
      const fields = properties(check)
      Titles.hold(check.title, fields)
      assert.sameMembers(Object.keys(fields), names)
      for (const name of names) assert.isTrue(described(fields[name]!), `${name} has no description`)
      for (const secret of check.secrets) assert.include(names, secret)
      if (check.inversion !== undefined) assert.include(names, check.inversion.field)
      for (const name of names) {
        const condition = shownWhenOf(check.config.fields[name]!)
        if (condition !== undefined) assert.include(names, condition.field, `${name} is shown when another field is`)
      }
    })

    it("rejects an unknown field and names it", () => {
      const result = check.normalize({ ...example, nosuchfield: 1 })
      assert.isTrue(Result.isFailure(result))
      if (Result.isFailure(result)) assert.include(result.failure.errors.map(({ path }) => path).join(), "nosuchfield")
    })

    it.each(names)("names a field when %s is wrong", (name) => {
      for (const oddity of oddities) {
        const result = check.normalize({ ...example, [name]: oddity })
        if (Result.isSuccess(result)) continue
        // Another field may be named: one that makes no sense without its companion.
        for (const { path } of result.failure.errors) assert.include(names, path.split(/[.[]/)[0])
      }
    })

    it("accepts or rejects any value, and never throws", () => {
      const odd = oddities.flatMap((oddity) => [oddity, ...names.map((name) => ({ ...example, [name]: oddity }))])
      for (const config of odd) {
        const result = check.normalize(config)
        // A probe prepares what the API has examined: it repeats the cheap part of the validation alone.
        const cheap = (check.vetting ?? check).normalize(config)
        assert.strictEqual(Result.isSuccess(check.prepare(config)), Result.isSuccess(cheap))
        if (Result.isFailure(cheap)) assert.isTrue(Result.isFailure(result))
        if (Result.isSuccess(result)) continue
        assert.isNotEmpty(result.failure.errors)
        for (const { message } of result.failure.errors) assert.match(message, /\S.{3}/)
      }
      assert.isUndefined(({} as { polluted?: boolean }).polluted)
    })

    if (check.passive !== undefined) {
      waits(check)
      return
    }

    it("describes its target", () => {
      const { host, reaches, target } = Result.getOrThrow(check.prepare(example))
      assert.isNotEmpty(host)
      assert.isNotEmpty(target)
      for (const reached of reaches?.() ?? []) assert.isNotEmpty(reached)
    })

    it.live.each(Object.keys(worlds))("returns a result %s", (name) =>
      inWorld(worlds[name]!, (world) =>
        Effect.gen(function* () {
          const { exit, stages } = yield* attempted(check, example, world)
          if (exit !== undefined) wellFormed(outcomeOf(exit))
          assert.isNotEmpty(stages, "announces its stages")
          for (const stage of stages) assert.include(known, stage, "announces stages that a timeout can name")
          yield* Targets.closed(world)
        })
      )
    )

    it.live("does not crash on an unusual configuration that it accepts", () =>
      inWorld(CheckWorlds.refusing, (world) =>
        Effect.forEach(
          oddities
            .flatMap((oddity) => names.map((name) => ({ ...example, [name]: oddity })))
            .filter((config) => Result.isSuccess(check.prepare(config))),
          (config) =>
            Effect.map(attempted(check, config, world), ({ exit }) => {
              if (exit !== undefined) wellFormed(outcomeOf(exit))
            }),
          { discard: true }
        )
      )
    )

    it.live("makes one attempt, and leaves retries to the host", () =>
      inWorld(CheckWorlds.refusing, (world) =>
        Effect.gen(function* () {
          const { exit } = yield* attempted(check, example, world)
          assert.isDefined(exit)
          assert.isTrue(isFailure(outcomeOf(exit!)), "a refused connection is a failure")
          assert.isAtMost(world.dials(), 1)
          assert.isAtMost(world.lookups(), 1)
          assert.isAtLeast(world.dials() + world.lookups(), 1, "it uses the host's network")
        })
      )
    )

    it.live("reports unknown when the probe is offline", () =>
      inWorld(CheckWorlds.offline, (world) =>
        Effect.gen(function* () {
          const { exit } = yield* attempted(check, example, world)
          const outcome = outcomeOf(exit!)
          assert.strictEqual(isFailure(outcome) ? outcome.status : "up", "unknown")
        })
      )
    )

    it.live.each(Object.keys(stuckWorlds))("ends when it is interrupted, when %s", (name) =>
      inWorld(stuckWorlds[name]!, (world) =>
        Effect.gen(function* () {
          const running = yield* Effect.forkChild(Effect.exit(start(check, example, world, [])))
          const hasAsked = () => world.dials() + world.lookups() > 0
          const asks = eventually(Effect.sync(hasAsked), (asked) => asked)
          const ends = Effect.flatMap(Fiber.join(running), (exit) =>
            hasAsked() ? Effect.void : Effect.die(new Error(`it ended before it used the network: ${wordsOf(exit)}`))
          )
          yield* Effect.raceFirst(asks, ends)
          // Late enough that something is open.
          yield* Effect.sleep("50 millis")
          yield* interrupted(running)
          yield* Targets.closed(world)
        })
      )
    )

    it.live("is timed out by the host, with a result that says so", () =>
      inWorld(CheckWorlds.stuck, (world) =>
        Effect.gen(function* () {
          const { run } = yield* CheckRunner
          const result = yield* run(Result.getOrThrow(check.prepare(example)), 300, 300)
          assert.deepInclude(result, { status: "down", responseTime: null })
          assert.match(result.failure!.code, /timeout$/)
          yield* Targets.closed(world)
        }).pipe(Effect.provide(hostOf(world)))
      )
    )

    it.live.each(check.secrets.length === 0 ? ["nothing"] : [...check.secrets])("keeps %s secret", (field) =>
      Effect.gen(function* () {
        const mark = "s3cretmark"
        const config = field === "nothing" ? undefined : marked(check, field, mark)
        if (config === undefined) return
        const { host, target } = Result.getOrThrow(check.prepare(config))
        assert.notInclude(`${host} ${target}`, mark)
        const refused = check.normalize({ ...(config as object), nosuchfield: mark })
        assert.notInclude(JSON.stringify(refused), mark)
        for (const made of Object.values(worlds)) {
          yield* inWorld(made, (world) =>
            Effect.map(attempted(check, config, world), ({ exit }) => {
              if (exit !== undefined) assert.notInclude(JSON.stringify(outcomeOf(exit)), mark)
            })
          )
        }
      })
    )
  })
}
