import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { ChannelId, UserId } from "../src/Ids.ts"
import {
  decide,
  type Escalation,
  type EscalationEvent,
  nextDueAt,
  opened,
  type Policy,
  type Targets,
  type Told
} from "../src/Escalation.ts"
import type { Page, Person } from "../src/EscalationLists.ts"
import { pageReason } from "../src/PageReason.ts"

const minute = 60_000
const user = (name: string): UserId => Schema.decodeSync(UserId)(`usr_${name}`)
const channel = (name: string): ChannelId => Schema.decodeSync(ChannelId)(`ch_${name}`)
const person = (
  name: string,
  ...entries: ReadonlyArray<readonly [afterMinutes: number, methodId: string]>
): Person => ({
  userId: user(name),
  entries: entries.map(([afterMinutes, methodId]) => ({ afterMinutes, methodId }))
})

const keyOf = (page: Page): string =>
  page._tag === "Channel"
    ? `${JSON.stringify(page.cause)} ${page.channelId}`
    : `${JSON.stringify(page.cause)} ${page.userId} ${page.methodId}`

/** Plays an escalation: says what was sent and told, with the minute at which it happened. */
class Play {
  state: Escalation
  now = 0
  readonly pages: Array<{ readonly at: number; readonly page: Page }> = []
  readonly told: Array<Told & { readonly at: number }> = []
  /** The claim of each exhaustion about accepted pages, and the truth at that time. */
  readonly exhausted: Array<{ readonly everReached: boolean; readonly wasReached: boolean }> = []
  reached = false
  readonly policy: Policy
  readonly targets: (step: number) => Targets
  /** The outcome of a page as soon as it is sent; undefined: later, by hand. */
  readonly outcome: (page: Page) => boolean | undefined

  constructor(policy: Policy, targets: (step: number) => Targets, outcome: Play["outcome"] = () => true) {
    this.policy = policy
    this.targets = targets
    this.outcome = outcome
    this.state = opened(policy, 0)
  }

  does(event: EscalationEvent): void {
    const { pages, state, told } = decide(this.policy, this.state, event)
    this.state = state
    if (event._tag === "Outcome" && event.reached) this.reached = true
    for (const one of told)
      if (one._tag === "Exhausted") this.exhausted.push({ everReached: one.everReached, wasReached: this.reached })
    this.told.push(...told.map((one) => ({ ...one, at: event.at / minute })))
    for (const page of pages) {
      this.pages.push({ at: event.at / minute, page })
      const reached = this.outcome(page)
      if (reached !== undefined) this.does({ _tag: "Outcome", at: event.at, page, reached })
    }
  }

  /** Lets time pass until a minute, with everything that is due on the way. */
  until(end: number): this {
    for (let dueAt = nextDueAt(this.state); dueAt !== null && dueAt <= end * minute; dueAt = nextDueAt(this.state)) {
      this.now = Math.max(this.now, dueAt)
      this.does({ _tag: "Due", at: this.now, targets: this.targets })
    }
    this.now = Math.max(this.now, end * minute)
    return this
  }

  get sent(): ReadonlyArray<string> {
    return this.pages.map(
      ({ at, page }) =>
        `${at} ${page._tag === "Person" ? `${page.userId.slice(4)} ${page.methodId}` : page.channelId.slice(3)}`
    )
  }

  get story(): ReadonlyArray<string> {
    return this.told.map(({ _tag, at, ...one }) => `${at} ${_tag}${"step" in one ? ` ${one.round}.${one.step}` : ""}`)
  }
}

const ada = person("ada", [0, "push"], [5, "sms"])
const bob = person("bob", [0, "push"])
const nobody: Targets = { people: [], channels: [] }
const steps = (...after: ReadonlyArray<number>) => after.map((afterMinutes) => ({ afterMinutes }))
const policy: Policy = { steps: steps(0, 10), repeat: 1, repeatAfterMinutes: 10 }
const primaryThenSecondary = (step: number): Targets => ({ people: [step === 0 ? ada : bob], channels: [] })

describe("an escalation that no one answers", () => {
  it("runs its steps, its rounds, and is exhausted", () => {
    const play = new Play(policy, primaryThenSecondary).until(1000)
    assert.deepStrictEqual(play.sent, [
      "0 ada push",
      "5 ada sms",
      "10 bob push",
      "20 ada push",
      "25 ada sms",
      "30 bob push"
    ])
    assert.deepStrictEqual(play.story, [
      "0 StepRan 0.0",
      "10 StepRan 0.1",
      "20 StepRan 1.0",
      "30 StepRan 1.1",
      "40 Exhausted"
    ])
    assert.deepInclude(play.told.at(-1), { _tag: "Exhausted", everReached: true })
  })

  it("goes on at once after a step that names no one, and says so", () => {
    const play = new Play(policy, (step) => (step === 0 ? nobody : primaryThenSecondary(1))).until(5)
    assert.deepStrictEqual(play.sent, ["0 bob push"])
    assert.deepStrictEqual(play.story, ["0 StepRan 0.0", "0 NobodyReached 0.0", "0 StepRan 0.1"])
  })

  it("goes on at once when the last page of a step has failed for good", () => {
    const play = new Play(policy, primaryThenSecondary, ({ _tag, ...page }) =>
      _tag === "Person" && "userId" in page && page.userId === ada.userId ? false : true
    ).until(9)
    assert.deepStrictEqual(play.sent, ["0 ada push", "5 ada sms", "5 bob push"])
  })

  it("does not repeat a round that reached no one, and tells the owners", () => {
    const play = new Play({ ...policy, repeat: 9 }, () => nobody).until(1000)
    assert.deepStrictEqual(play.story, [
      "0 StepRan 0.0",
      "0 NobodyReached 0.0",
      "0 StepRan 0.1",
      "0 NobodyReached 0.1",
      "0 Exhausted"
    ])
    assert.deepInclude(play.told.at(-1), { everReached: false })
  })
})

describe("somebody who is named again", () => {
  it("gets nothing twice while their list runs, and all of it again after that", () => {
    const both: Policy = { steps: steps(0, 2, 10), repeat: 0, repeatAfterMinutes: 10 }
    const play = new Play(both, () => ({ people: [ada, ada], channels: [] })).until(100)
    assert.deepStrictEqual(play.sent, ["0 ada push", "5 ada sms", "12 ada push", "17 ada sms"])
  })
})

describe("an acknowledgement", () => {
  const acknowledgedAt = (at: number, changes: Partial<Policy> = {}) => {
    const play = new Play({ ...policy, ...changes }, primaryThenSecondary).until(at)
    play.does({ _tag: "Acknowledged", at: at * minute, by: ada })
    return play
  }

  it("drops everything that is pending", () => {
    assert.deepStrictEqual(acknowledgedAt(3).until(1000).sent, ["0 ada push"])
  })

  it("that is taken back leads to the step that was next, after its whole delay", () => {
    const play = acknowledgedAt(3).until(20)
    play.does({ _tag: "Unacknowledged", at: 20 * minute })
    assert.deepStrictEqual(play.until(31).sent, ["0 ada push", "30 bob push"])
  })

  it("that is taken back with no step left begins the policy again, with pages of their own", () => {
    const play = acknowledgedAt(100)
    play.does({ _tag: "Unacknowledged", at: 200 * minute })
    assert.deepStrictEqual(play.until(201).sent.slice(-1), ["200 ada push"])
    assert.strictEqual(new Set(play.pages.map(({ page }) => keyOf(page))).size, play.pages.length)
  })

  it("that runs out pages who gave it, then goes on as if it were taken back", () => {
    const play = acknowledgedAt(3, { acknowledgeTimeoutMinutes: 30 }).until(44)
    assert.deepStrictEqual(play.sent, ["0 ada push", "33 ada push", "38 ada sms", "43 bob push"])
    assert.include(play.story, "33 AcknowledgementEnded")
  })

  it("leaves the list of somebody who was asked for, until they answer themselves", () => {
    const play = acknowledgedAt(3)
    play.does({ _tag: "Asked", at: 4 * minute, person: person("cy", [0, "push"], [5, "call"], [9, "sms"]) })
    play.until(9)
    play.does({ _tag: "Acknowledged", at: 9 * minute, by: bob })
    play.until(10)
    assert.deepStrictEqual(play.sent, ["0 ada push", "4 cy push", "9 cy call"])
    play.does({ _tag: "Acknowledged", at: 10 * minute, by: person("cy") })
    assert.deepStrictEqual(play.until(100).sent, ["0 ada push", "4 cy push", "9 cy call"])
  })
})

describe("a snooze", () => {
  it("freezes all that remains, which runs on at its end", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Snoozed", at: 3 * minute })
    play.until(63)
    play.does({ _tag: "SnoozeEnded", at: 63 * minute })
    assert.deepStrictEqual(play.until(79).sent, ["0 ada push", "65 ada sms", "70 bob push"])
  })

  it("opens an alert that was acknowledged at its end", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Acknowledged", at: 3 * minute, by: ada })
    play.does({ _tag: "Snoozed", at: 4 * minute })
    play.until(64)
    play.does({ _tag: "SnoozeEnded", at: 64 * minute })
    assert.deepStrictEqual(play.until(75).sent, ["0 ada push", "74 bob push"])
  })
})

describe("an acknowledgement of an alert that is snoozed", () => {
  it("ends the snooze: taken back, it leads to the step that was next", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Snoozed", at: 3 * minute })
    play.until(5)
    play.does({ _tag: "Acknowledged", at: 5 * minute, by: bob })
    assert.isNull(play.state.frozenAt)
    play.until(30)
    play.does({ _tag: "Unacknowledged", at: 30 * minute })
    assert.deepStrictEqual(play.until(41).sent, ["0 ada push", "40 bob push"])
  })

  it("runs out like any other one", () => {
    const play = new Play({ ...policy, acknowledgeTimeoutMinutes: 20 }, primaryThenSecondary).until(3)
    play.does({ _tag: "Snoozed", at: 3 * minute })
    play.does({ _tag: "Acknowledged", at: 5 * minute, by: bob })
    assert.deepStrictEqual(play.until(26).sent, ["0 ada push", "25 bob push"])
    assert.include(play.story, "25 AcknowledgementEnded")
  })
})

describe("a silence", () => {
  it("holds the policy, drops running lists, and begins from the first step at its end", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Held", at: 3 * minute })
    play.until(60)
    play.does({ _tag: "Released", at: 60 * minute })
    assert.deepStrictEqual(play.until(70).sent, ["0 ada push", "60 ada push", "65 ada sms", "70 bob push"])
  })

  it("changes nothing about an alert that is acknowledged", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Acknowledged", at: 3 * minute, by: ada })
    play.does({ _tag: "Held", at: 4 * minute })
    play.does({ _tag: "Released", at: 60 * minute })
    assert.deepStrictEqual(play.until(1000).sent, ["0 ada push"])
  })
})

describe("escalating by hand", () => {
  it("runs the next step at once, for all who saw it once, and takes an acknowledgement back", () => {
    const play = new Play(policy, primaryThenSecondary).until(3)
    play.does({ _tag: "Acknowledged", at: 3 * minute, by: ada })
    const { next, round } = play.state
    play.does({ _tag: "Escalated", at: 4 * minute, seen: { round, next } })
    play.until(4)
    play.does({ _tag: "Escalated", at: 4 * minute, seen: { round, next } })
    assert.deepStrictEqual(play.until(13).sent, ["0 ada push", "4 bob push"])
  })
})

const anyPerson = fc
  .record({
    name: fc.constantFrom("ada", "bob", "cy"),
    entries: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom("push", "sms", "call")), {
      maxLength: 3
    })
  })
  .map(({ entries, name }) => person(name, ...entries))
const anyTargets = fc.record({
  people: fc.array(anyPerson, { maxLength: 3 }),
  channels: fc.array(fc.constantFrom(channel("ops"), channel("sre")), { maxLength: 2 })
})
const anyPolicy = fc.record({
  steps: fc.array(fc.record({ afterMinutes: fc.integer({ min: 0, max: 15 }) }), { minLength: 1, maxLength: 4 }),
  repeat: fc.integer({ min: 0, max: 3 }),
  repeatAfterMinutes: fc.integer({ min: 1, max: 20 }),
  acknowledgeTimeoutMinutes: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined })
})
type Act =
  | "Acknowledged"
  | "Unacknowledged"
  | "Snoozed"
  | "SnoozeEnded"
  | "Held"
  | "Released"
  | "Escalated"
  | "Asked"
  | "Resolved"
const anyAct = fc.record({
  wait: fc.integer({ min: 0, max: 12 }),
  act: fc.constantFrom<Act>(
    "Acknowledged",
    "Unacknowledged",
    "Snoozed",
    "SnoozeEnded",
    "Held",
    "Released",
    "Escalated",
    "Asked",
    "Resolved"
  ),
  person: anyPerson
})

const eventOf = (play: Play, act: Act, at: number, by: Person): EscalationEvent => {
  switch (act) {
    case "Acknowledged":
      return { _tag: act, at, by }
    case "Escalated":
      return { _tag: act, at, seen: { round: play.state.round, next: play.state.next } }
    case "Asked":
      return { _tag: act, at, person: by }
    default:
      return { _tag: act, at }
  }
}

describe("an escalation under random events", () => {
  const scenario = fc.record({
    policy: anyPolicy,
    targets: fc.array(anyTargets, { minLength: 4, maxLength: 4 }),
    acts: fc.array(anyAct, { maxLength: 12 }),
    outcomes: fc.array(fc.constantFrom(true, false, undefined), { minLength: 1, maxLength: 7 })
  })

  it("no page is sent twice, none after the end, and none while all is frozen or acknowledged but to those who were asked for", () => {
    fc.assert(
      fc.property(scenario, ({ acts, outcomes, policy: rules, targets }) => {
        let count = 0
        const play = new Play(
          rules,
          (step) => targets[step]!,
          () => outcomes[count++ % outcomes.length]
        )
        for (const { act, person: by, wait } of acts) {
          const before = play.pages.length
          const { frozenAt, status } = play.state
          const timesOut = play.state.acknowledgement?.endsAt != null
          play.until(play.now / minute + wait)
          const sent = play.pages.slice(before)
          if (status === "ended" || frozenAt !== null) assert.isEmpty(sent)
          if (status === "acknowledged" && !timesOut)
            assert.isTrue(play.state.lists.length + sent.length === 0 || play.state.asked > 0)
          play.does(eventOf(play, act, play.now, by))
        }
        play.until(play.now / minute + 2000)
        const keys = play.pages.map(({ page }) => keyOf(page))
        assert.deepStrictEqual(keys, [...new Set(keys)])
      }),
      { numRuns: 500 }
    )
  })

  it("keeps a due time for an open alert, and ends in exhaustion, which notifies the owners if no one was reached", () => {
    fc.assert(
      fc.property(scenario, ({ acts, outcomes, policy: rules, targets }) => {
        let count = 0
        const play = new Play(
          rules,
          (step) => targets[step]!,
          () => outcomes[count++ % outcomes.length]
        )
        for (const { act, person: by, wait } of acts) {
          play.until(play.now / minute + wait)
          play.does(eventOf(play, act, play.now, by))
          const { frozenAt, isHeld, status } = play.state
          if (status === "open" && frozenAt === null && !isHeld) assert.isNotNull(nextDueAt(play.state))
        }
        play.until(play.now / minute + 2000)
        const { frozenAt, isHeld, status } = play.state
        if (frozenAt !== null || isHeld) return
        assert.include(["acknowledged", "exhausted", "ended"], status)
        for (const { everReached, wasReached } of play.exhausted) assert.strictEqual(everReached, wasReached)
        if (status === "exhausted") assert.isNotEmpty(play.exhausted)
      }),
      { numRuns: 500 }
    )
  })

  it("each page to a person has the reason for which the list of the person began", () => {
    fc.assert(
      fc.property(scenario, ({ acts, outcomes, policy: rules, targets }) => {
        let count = 0
        const because = (name: string) => (one: Person) => ({ ...one, reason: pageReason("team", { name }) })
        const play = new Play(
          rules,
          (step) => ({ ...targets[step]!, people: targets[step]!.people.map(because(`step ${step}`)) }),
          () => outcomes[count++ % outcomes.length]
        )
        for (const { act, person: by, wait } of acts) {
          play.until(play.now / minute + wait)
          const event = eventOf(play, act, play.now, by)
          if (event._tag !== "Asked") play.does(event)
          else play.does({ ...event, person: because(`asked ${play.state.asked}`)(event.person) })
        }
        play.until(play.now / minute + 2000)
        for (const { page } of play.pages) {
          if (page._tag === "Channel") continue
          const { cause, reason } = page
          if (cause._tag === "Step") assert.strictEqual(reason?.name, `step ${cause.step}`)
          else if (reason?.kind === "team" && cause._tag === "Asked")
            assert.strictEqual(reason.name, `asked ${cause.number}`)
          else assert.strictEqual(reason?.kind, "acknowledgement_ended")
        }
      }),
      { numRuns: 200 }
    )
  })

  it("each step of a round runs once, in its order", () => {
    fc.assert(
      fc.property(scenario, ({ acts, outcomes, policy: rules, targets }) => {
        let count = 0
        const play = new Play(
          rules,
          (step) => targets[step]!,
          () => outcomes[count++ % outcomes.length]
        )
        for (const { act, person: by, wait } of acts) {
          play.until(play.now / minute + wait)
          play.does(eventOf(play, act, play.now, by))
        }
        play.until(play.now / minute + 2000)
        const ran = play.told.flatMap((one) => (one._tag === "StepRan" ? [one] : []))
        for (const [index, { round, step }] of ran.entries()) {
          const before = ran[index - 1]
          if (before === undefined || before.round < round) assert.strictEqual(step, 0)
          else assert.deepStrictEqual([round, step], [before.round, before.step + 1])
        }
      }),
      { numRuns: 300 }
    )
  })
})
