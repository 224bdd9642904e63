/** Notification channels over HTTP: each handler only translates. */
import type { Channel } from "@kanmon/core/Channel"
import { ChannelRunner } from "@kanmon/core/ChannelRunner"
import { masked, unmasked } from "@kanmon/core/Masking"
import type { Notice } from "@kanmon/core/Notice"
import { Catalogue } from "@kanmon/core/PluginHost"
import { decodeStrict, InvalidFields } from "@kanmon/domain/FieldErrors"
import { Api, basePath } from "@kanmon/protocol/Api"
import * as ChannelBody from "@kanmon/protocol/ChannelBody"
import { ChannelRecord, ConfirmationCode } from "@kanmon/protocol/ChannelsApi"
import { invalid, notFound, Problem } from "@kanmon/protocol/Problem"
import type { PlanLimitReached } from "@kanmon/store/billing/Standing"
import type { KeyTaken } from "@kanmon/store/database/KeyTaken"
import { type ChannelNotFound, Channels, lastDelivery, type StoredChannel } from "@kanmon/store/alerts/Channels"
import { type ProjectNotFound, Projects } from "@kanmon/store/accounts/Projects"
import { Clock, Effect, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentGateway } from "../billing/PaymentGateway.ts"
import { Recipients } from "../recipients/Recipients.ts"
import * as Access from "./Access.ts"
import { ApiSettings } from "./ApiSettings.ts"
import { differing } from "./ChannelComparison.ts"
import * as KeyConflict from "./KeyConflict.ts"
import * as Paging from "./Paging.ts"
import * as PlanLimit from "./PlanLimit.ts"
import * as Quotas from "./Quotas.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "channels",
  Effect.fnUntraced(function* (handlers) {
    const channels = yield* Channels
    const projects = yield* Projects
    const runner = yield* ChannelRunner
    const settings = yield* ApiSettings
    const random = yield* SecureRandom.SecureRandom
    const { channels: kinds } = yield* Catalogue
    const within = yield* Quotas.make
    const recipients = yield* Recipients
    const refusing = refusals((yield* PaymentGateway).configured)
    const shown = (channel: StoredChannel) =>
      show(kinds)({ ...channel, confirmation: recipients.confirmationOf(channel) })

    /** Closes what a test has opened; what is left to do when that fails, in words. */
    const closeTest = Effect.fnUntraced(function* (channel: StoredChannel, test: Notice) {
      yield* Effect.sleep(closeAfter)
      const result = yield* Effect.result(runner.deliver(channel, testEnd(test, yield* Clock.currentTimeMillis)))
      return result._tag === "Success"
        ? ""
        : `; the test incident is still open, close it at the destination (${result.failure.message})`
    })

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const page = yield* channels.list(yield* Access.project, {
            ...(yield* Paging.read(query)),
            key: query.key
          })
          return yield* Paging.answer(
            { ...page, items: page.items.map((item) => encode(shown(item))) },
            settings.baseUrl
          )
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const draft = yield* Effect.fromResult(decode(kinds, payload))
          const admitted = yield* recipients.admit(projectId, draft)
          const created = yield* within({ projectId }, "channels", channels.create(projectId, admitted))
          return shown(yield* recipients.inviteNew(created))
        }).pipe(refusing),
      get: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => channels.get(projectId, params.channelId)).pipe(
          Effect.map(shown),
          refusing
        ),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          let before: StoredChannel | undefined
          const updated = yield* channels.update(projectId, params.channelId, (current) => {
            before = current
            return Effect.flatMap(Effect.fromResult(changed(kinds, current, payload)), (draft) =>
              recipients.admit(projectId, draft, current)
            )
          })
          return shown(yield* recipients.inviteNew(updated, before))
        }).pipe(refusing),
      remove: ({ params }) =>
        Effect.flatMap(Access.project, (projectId) => channels.remove(projectId, params.channelId)).pipe(
          Effect.as({ id: params.channelId, deleted: true as const }),
          refusing
        ),
      compare: ({ params, payload }) =>
        Effect.gen(function* () {
          const current = yield* channels.get(yield* Access.project, params.channelId)
          const wanted = yield* Effect.fromResult(changed(kinds, current, payload))
          return { differing: differing(current, wanted) }
        }).pipe(refusing),
      test: ({ params }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const channel = yield* channels.get(projectId, params.channelId)
          const project = yield* projects.get(projectId)
          yield* recipients.admitTest(channel)
          const at = yield* Clock.currentTimeMillis
          const notice = testNotice(project, `dlv_${(yield* random.ulid).toLowerCase()}`, at, settings.baseUrl)
          const result = yield* Effect.result(runner.deliver(channel, notice))
          const opened = result._tag === "Success" && kinds.get(channel.type)?.opensIncidents === true
          const left = opened ? yield* closeTest(channel, notice) : ""
          const detail = result._tag === "Success" ? `${result.success.detail}${left}` : result.failure.message
          const status = result._tag === "Success" ? "delivered" : "failed"
          yield* channels.noteDelivery(channel.id, lastDelivery(at, status, detail))
          if (result._tag === "Success") return { delivered: true as const, detail, at }
          return yield* new Problem({ code: "delivery_failed", detail })
        }).pipe(refusing),
      sendConfirmation: ({ params }) =>
        Effect.gen(function* () {
          const channel = yield* channels.get(yield* Access.project, params.channelId)
          yield* recipients.invite(channel)
          return shown(channel)
        }).pipe(refusing),
      confirm: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* Access.project
          const channel = yield* channels.get(projectId, params.channelId)
          const { code } = yield* Effect.fromResult(decodeCode(payload))
          yield* recipients.confirm(channel.id, code)
          return shown(yield* channels.get(projectId, channel.id))
        }).pipe(refusing)
    })
  })
)

/** Providers take events in and act on them later: one that closes must not overtake the one that opened. */
const closeAfter = "1 second"

/** What closes the incident that a test opened. */
const testEnd = (test: Notice, at: number): Notice => ({
  ...test,
  id: `${test.id}_end`,
  event: "monitor_up",
  at,
  reason: "The test is over",
  durationSeconds: Math.round((at - test.at) / 1000)
})

const decodeCode = decodeStrict(ConfirmationCode)

type Kinds = ReadonlyMap<string, Channel>

/** A change as a whole channel: merged with what reads show, in which masks stand for what is stored. */
const changed = (kinds: Kinds, current: StoredChannel, change: unknown) =>
  decode(kinds, ChannelBody.merge({ ...current, config: shownConfig(kinds, current) }, change), current)

const decode = (
  kinds: Kinds,
  body: unknown,
  current?: StoredChannel
): Result.Result<ChannelBody.ChannelDraft, InvalidFields> => {
  const { config, type } = (body ?? {}) as { readonly config?: unknown; readonly type?: unknown }
  const kind = typeof type === "string" ? kinds.get(type) : undefined
  if (kind === undefined || typeof config !== "object" || config === null || Array.isArray(config))
    return ChannelBody.decode(kinds, body)
  const stored = current !== undefined && current.type === type ? current.config : {}
  return unmasked(config as Schema.JsonObject, stored, kind).pipe(
    Result.mapError(({ errors }) => new InvalidFields({ errors: errors.map(ChannelBody.below) })),
    Result.flatMap((restored) => ChannelBody.decode(kinds, { ...(body as object), config: restored }, current))
  )
}

/** Of a kind whose plugin is no longer loaded, every field is treated as secret. */
const shownConfig = (kinds: Kinds, { config, type }: ChannelBody.ChannelDraft): Schema.JsonObject =>
  masked(config, kinds.get(type) ?? { secrets: Object.keys(config) })

const show =
  (kinds: Kinds) =>
  ({ lastDelivery: last, ...rest }: StoredChannel): ChannelRecord => ({
    ...rest,
    config: shownConfig(kinds, rest),
    lastDelivery: last === null ? null : { ...last, at: Date.parse(last.at) }
  })

const encode = Schema.encodeSync(ChannelRecord)

const testNotice = (
  project: { readonly id: string; readonly name: string },
  id: string,
  at: number,
  baseUrl: string
): Notice => ({
  id,
  alertId: id,
  event: "test",
  at,
  project: { id: project.id, name: project.name },
  rule: null,
  monitor: { id: "mon_test", name: "Kanmon", type: "http", target: baseUrl },
  reason: "This is a test: if you can read it, this channel works",
  startedAt: at,
  durationSeconds: null,
  regions: [],
  region: null,
  statusCode: null,
  responseTime: null,
  timing: {},
  expiresAt: null,
  overtakesOpening: false,
  reminder: false,
  links: { monitor: `${baseUrl}${basePath}/docs` }
})

const refusals =
  (canPay: boolean) =>
  <A, R>(
    effect: Effect.Effect<
      A,
      ChannelNotFound | KeyTaken | PlanLimitReached | ProjectNotFound | InvalidFields | Problem,
      R
    >
  ): Effect.Effect<A, Problem, R> =>
    Effect.mapError(effect, (error) => {
      switch (error._tag) {
        case "ChannelNotFound":
          return notFound("channel")
        case "KeyTaken":
          return KeyConflict.problem("channel")
        case "PlanLimitReached":
          return PlanLimit.problem(error, canPay)
        case "ProjectNotFound":
          return notFound("project")
        case "InvalidFields":
          return invalid(error.errors)
        case "Problem":
          return error
      }
    })
