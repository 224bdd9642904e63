/**
 * The effects of answers from devices. Each is one transaction: its receipt, which a repetition finds with what was said before, the act,
 * and what is said. Locks are taken in one order: the receipt, the number or the page, then what acting locks.
 */
import { ChannelRunner, type BoundReplies } from "@kanmon/core/ChannelRunner"
import { Catalogue } from "@kanmon/core/PluginHost"
import type { Choice, Incoming, Outcome, Reply, Response, Told } from "@kanmon/core/Replies"
import { recipientsOf } from "@kanmon/core/Recipient"
import { actorInWords } from "@kanmon/domain/AlertHandling"
import { mostIdle, type ReplyState, textStep } from "@kanmon/domain/PageReply"
import { localeFor } from "@kanmon/domain/Locale"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Transaction } from "@kanmon/platform/Transaction"
import { basePath } from "@kanmon/protocol/BasePath"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { AcknowledgeLinks, type Responder } from "../alerts/index.ts"
import { ContactMethods } from "../contact-methods/index.ts"
import { StoppedMethods } from "../delivery/index.ts"
import { AlertCalls } from "../escalation/index.ts"
import { PageReplies } from "./PageReplies.ts"
import { type RepliedPage, ReplyRepository } from "./ReplyRepository.ts"

/** An act in words, and whether it counts as an action. */
interface Done {
  readonly told: Told
  readonly kind: "acted" | "wrong" | "idle" | "silent"
  readonly locale?: string | null
}

const silent: Done = { told: { _tag: "Silent" }, kind: "silent" }

const states: Readonly<Record<Outcome, ReplyState | null>> = {
  delivered: null,
  completed: "no_answer",
  noAnswer: "no_answer",
  failed: "failed"
}

const stopReason = "The number answered STOP and gets no more messages"

export class Replying extends Context.Service<Replying>()("@kanmon/monitoring/replies/Replying", {
  make: Effect.gen(function* () {
    const repository = yield* ReplyRepository
    const { named } = yield* PageReplies
    const { channels: kinds } = yield* Catalogue
    const runner = yield* ChannelRunner
    const links = yield* AcknowledgeLinks
    const calls = yield* AlertCalls
    const methods = yield* ContactMethods
    const tellStopped = yield* StoppedMethods.make
    const transaction = yield* Transaction
    const { baseUrl } = yield* ApiSettings

    const acknowledge = Effect.fnUntraced(function* (page: RepliedPage, by: Responder) {
      const found = yield* links.ofMessage(page.id)
      if (found === undefined) return { _tag: "Over" } as const
      const done = yield* Effect.result(links.acknowledge(found, by))
      if (Result.isSuccess(done)) return { _tag: "Acknowledged", alerts: done.success } as const
      const other = found.alerts.find(
        ({ acknowledgedBy, resolvedAt }) => resolvedAt === null && acknowledgedBy !== null
      )
      return other === undefined
        ? ({ _tag: "Over" } as const)
        : ({ _tag: "AlreadyAcknowledged", by: actorInWords(other.acknowledgedBy) } as const)
    })

    const escalate = Effect.fnUntraced(function* (page: RepliedPage, by: Responder) {
      const found = yield* links.ofMessage(page.id)
      const open = (found?.alerts ?? []).filter(({ resolvedAt }) => resolvedAt === null)
      if (found === undefined || (open.length === 0 && found.test === null)) return { _tag: "Over" } as const
      let [escalated, earlier] = [0, 0]
      for (const { id } of open.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
        const step = page.seen[id]
        if (found.projectId === null || step === undefined || step === null) continue
        const isNew = yield* Effect.result(calls.escalateSeen(found.projectId, id, step, by))
        if (Result.isFailure(isNew)) continue
        if (isNew.success) escalated++
        else earlier++
      }
      if (escalated > 0) return { _tag: "Escalated", alerts: escalated } as const
      return earlier > 0 ? ({ _tag: "AlreadyEscalated" } as const) : ({ _tag: "NothingToEscalate" } as const)
    })

    /** Does what the person of a locked page wants, in their name. */
    const act = Effect.fnUntraced(function* (page: RepliedPage, choice: Choice, at: EpochMillis) {
      const { email, locale, name, userId } = page
      const by: Responder = { actor: { kind: "user", name }, userId }
      const acting: Effect.Effect<Told> = choice === "acknowledge" ? acknowledge(page, by) : escalate(page, by)
      const told = yield* Effect.provideService(acting, CurrentActor, {
        actor: { kind: "person", id: userId, name: email },
        address: null
      })
      const isDone = told._tag === "Acknowledged" || told._tag === "Escalated"
      if (isDone) yield* repository.answered(page.id, choice === "acknowledge" ? "acknowledged" : "escalated", at)
      return { told, kind: isDone ? "acted" : "idle", locale } satisfies Done
    })

    const answer = Effect.fnUntraced(function* (
      { choice, message }: Extract<Reply, { readonly _tag: "Answer" }>,
      destination: string,
      at: EpochMillis
    ) {
      const page = yield* repository.lock(message, destination)
      if (page === undefined) return silent
      const { locale } = page
      if (choice === "repeat")
        return { told: { _tag: "Repeat", notice: page.notice }, kind: "silent", locale } satisfies Done
      if (choice !== "nothing") return yield* act(page, choice, at)
      yield* repository.answered(page.id, "declined", at)
      return { told: { _tag: "Nothing" }, kind: "silent", locale } satisfies Done
    })

    const text = Effect.fnUntraced(function* (
      { command }: Extract<Reply, { readonly _tag: "Text" }>,
      destination: string,
      types: ReadonlyArray<string>,
      at: EpochMillis
    ) {
      yield* repository.lockNumber(destination)
      const known = yield* methods.ofDestination(destination, types)
      const message = command === undefined ? undefined : yield* named(destination, command.code, at)
      const counts = yield* repository.counts(destination, at)
      const step = textStep({ isKnown: known.length > 0, isCommand: command !== undefined, message, ...counts })
      const locale = known[0]?.locale ?? null
      switch (step._tag) {
        case "Ignore":
          return silent
        case "Wrong":
          return { told: { _tag: step.isSaid ? "WrongCode" : "Silent" }, kind: "wrong", locale } satisfies Done
        case "Explain":
          return { told: { _tag: "NoCommand" }, kind: "idle", locale } satisfies Done
        case "Act": {
          const page = yield* repository.lock(step.message, destination)
          if (page === undefined || command === undefined) return silent
          const done: Done = yield* act(page, command.choice, at)
          const isSaid = done.kind === "acted" || counts.idle < mostIdle
          return isSaid ? done : { ...done, told: { _tag: "Silent" } as const }
        }
      }
    })

    /** Switches off the text messages of people to a number. */
    const stop = Effect.fnUntraced(function* (destination: string, types: ReadonlyArray<string>, at: EpochMillis) {
      const texts = types.filter((type) => kinds.get(type)?.rings !== true)
      for (const { id, userId } of yield* methods.ofDestination(destination, texts))
        if (yield* methods.stop(id, stopReason, at)) yield* tellStopped({ id, userId, reason: stopReason }, at)
    })

    const outcome = Effect.fn("Replying.outcome")(function* ({
      detail,
      isStopped,
      message,
      outcome: how
    }: Extract<Reply, { readonly _tag: "Outcome" }>) {
      const at = yield* Clock.currentTimeMillis
      yield* repository.ended(message, states[how], detail, at)
      const to = isStopped ? yield* repository.methodOf(message) : undefined
      if (to !== undefined && (yield* methods.stop(to.contactMethodId, stopReason, at)))
        yield* tellStopped({ id: to.contactMethodId, userId: to.userId, reason: stopReason }, at)
    }, transaction.run)

    /** The keyed hash of an address, in the form of the first type that has it as its recipient. */
    const destinationOf = (from: string, types: ReadonlyArray<string>): string | undefined => {
      for (const type of types) {
        const kind = kinds.get(type)
        const [recipient] = kind?.recipient === undefined ? [] : recipientsOf(kind, { [kind.recipient.field]: from })
        if (recipient !== undefined) return methods.countedAs(recipient.counted)
      }
      return undefined
    }

    const once = Effect.fn("Replying.once")(function* (
      provider: string,
      { respond, types }: BoundReplies,
      incoming: Incoming,
      reply: Exclude<Reply, { readonly _tag: "Outcome" }>,
      destination: string
    ) {
      const at = yield* Clock.currentTimeMillis
      const receipt = `${provider} ${reply.once}`
      const address = `${baseUrl}${basePath}/replies/${provider}`
      const before = yield* repository.receive(receipt, destination, at)
      if (before !== undefined && before !== "")
        return { contentType: respond(incoming, silent.told, { language: "en", address }).contentType, body: before }
      if (before !== undefined) return respond(incoming, silent.told, { language: "en", address })
      const done: Done =
        reply._tag === "Answer"
          ? yield* answer(reply, destination, at)
          : reply._tag === "Text"
            ? yield* text(reply, destination, types, at)
            : yield* Effect.as(stop(destination, types, at), silent)
      const response = respond(incoming, done.told, { language: localeFor(done.locale), address })
      yield* repository.concluded(receipt, done.kind, done.told._tag === "Silent" ? "" : response.body)
      return response
    }, transaction.run)

    return {
      /** The provider of an address, with the operator's settings. */
      repliesOf: runner.repliesOf,
      /** Does what a request of a provider says, and returns the response to it. */
      take: Effect.fn("Replying.take")(function* (provider: string, replies: BoundReplies, incoming: Incoming) {
        const address = `${baseUrl}${basePath}/replies/${provider}`
        const nothing: Response = replies.respond(incoming, silent.told, { language: "en", address })
        const reply = replies.read(incoming)
        if (reply === undefined) return nothing
        if (reply._tag === "Outcome") return yield* Effect.as(outcome(reply), nothing)
        const destination = destinationOf(reply.from.slice(0, 64), replies.types)
        if (destination === undefined) return nothing
        // A stranger leaves no row.
        if (reply._tag !== "Answer" && (yield* methods.ofDestination(destination, replies.types)).length === 0)
          return nothing
        return yield* once(provider, replies, incoming, reply, destination)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Replying, Replying.make)
}
