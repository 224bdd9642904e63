/** Tests of channels: sends a test notification, and closes the incident that it opens at the destination. */
import { type Receipt, rejected } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import type { Notice } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import { configFor, type Recipient } from "@kanmon/core/Recipient"
import { idFrom, type ChannelId, type ProjectId } from "@kanmon/domain/Ids"
import type { ChannelNotFound, ProjectNotFound } from "@kanmon/domain/NotFound"
import { shortRecipient, withShortRecipients } from "@kanmon/domain/RecipientText"
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { Projects } from "@kanmon/identity/projects"
import type { StoredChannel } from "./ChannelRecords.ts"
import { Channels } from "./Channels.ts"
import { Recipients } from "./Recipients.ts"
import { testNotice } from "./TestNotice.ts"

/** Providers process events asynchronously: the closing one must not overtake the opening one. */
const closeAfter = "1 second"

export const make = Effect.gen(function* () {
  const channels = yield* Channels
  const projects = yield* Projects
  const recipients = yield* Recipients
  const runner = yield* ChannelRunner
  const { baseUrl } = yield* ApiSettings
  const random = yield* SecureRandom.SecureRandom
  const { channels: kinds } = yield* Catalogue

  /** Sends a test notification and stores the result; fails with what the destination answered. */
  const test = Effect.fn("ChannelTests.test")(function* (
    projectId: ProjectId,
    id: ChannelId
  ): Effect.fn.Return<
    { readonly delivered: true; readonly detail: string; readonly at: number },
    ChannelNotFound | ProjectNotFound | Problem<"conflict" | "rate_limited" | "delivery_failed">
  > {
    const channel = yield* channels.get(projectId, id)
    const project = yield* projects.get(projectId)
    const to = yield* recipients.admitTest(channel)
    const at = yield* Clock.currentTimeMillis
    const noticeId = idFrom("dlv", yield* random.ulid)
    const notice = testNotice(
      {
        id: noticeId,
        alertId: noticeId,
        severity: "info",
        at,
        startedAt: at,
        project: { id: project.id, name: project.name },
        reason: "This is a test: if you can read it, this channel works"
      },
      baseUrl
    )
    const result = yield* Effect.result(
      to === undefined ? runner.deliver(channel, notice) : deliverTo(channel, to, notice)
    )
    if (result._tag === "Failure") {
      const detail = withShortRecipients(result.failure.message, to?.map(({ text }) => text) ?? [])
      yield* channels.noteDelivery(id, { at, status: "failed", detail })
      return yield* new Problem({ code: "delivery_failed", detail })
    }
    const opened = kinds.get(channel.type)?.opensIncidents === true
    const detail = `${result.success.detail}${opened ? yield* close(channel, notice) : ""}`
    yield* channels.noteDelivery(id, { at, status: "delivered", detail })
    return { delivered: true, detail, at }
  })

  /** Sends the test to each recipient; a failed one does not stop the others. */
  const deliverTo = Effect.fnUntraced(function* (channel: StoredChannel, to: ReadonlyArray<Recipient>, notice: Notice) {
    const kind = kinds.get(channel.type)!
    const results = yield* Effect.forEach(to, (recipient) =>
      Effect.result(runner.deliver({ ...channel, config: configFor(kind, channel.config, recipient) }, notice))
    )
    const [only] = results
    if (only !== undefined && results.length === 1) return yield* Effect.fromResult(only)
    const addresses = to.map(({ text }) => text)
    const failed = results.flatMap((result, index) =>
      result._tag === "Failure" ? `${shortRecipient(addresses[index]!)}: ${result.failure.message}` : []
    )
    if (failed.length > 0) return yield* rejected(failed.join("; "))
    return { detail: `Sent to ${to.length} recipients` } satisfies Receipt
  })

  /** Closes what the test opened; returns what is left to do when that fails. */
  const close = Effect.fnUntraced(function* (channel: StoredChannel, notice: Notice) {
    yield* Effect.sleep(closeAfter)
    const result = yield* Effect.result(runner.deliver(channel, testEnd(notice, yield* Clock.currentTimeMillis)))
    return result._tag === "Success"
      ? ""
      : `; the test incident is still open, close it at the destination (${result.failure.message})`
  })

  return { test }
})

/** The notice that closes the incident of a test. */
const testEnd = (test: Notice, at: number): Notice => ({
  ...test,
  id: `${test.id}_end`,
  event: "monitor_up",
  at,
  reason: "The test is over",
  durationSeconds: Math.round((at - test.at) / 1000)
})
