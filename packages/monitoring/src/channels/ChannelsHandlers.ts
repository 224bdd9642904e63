/** The routes of notification channels. */
import { compareViews } from "@kanmon/core/Masking"
import { Catalogue } from "@kanmon/core/PluginHost"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import { permits, type Role } from "@kanmon/domain/Role"
import { Api } from "@kanmon/protocol/Api"
import { ChannelRecord } from "@kanmon/protocol/ChannelBody"
import { CodeRequest, ConfirmationCode } from "@kanmon/protocol/ChannelsApi"
import { CallerProject, CallerRole } from "@kanmon/protocol/Middleware"
import { Effect, identity, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PaymentGateway } from "@kanmon/identity/billing"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Paging from "@kanmon/platform/http/Paging"
import { differing } from "./ChannelComparison.ts"
import type { StoredChannel } from "./ChannelRecords.ts"
import { Channels } from "./Channels.ts"
import * as ChannelTests from "./ChannelTests.ts"
import * as ChannelWrites from "./ChannelWrites.ts"
import * as ChannelView from "./ChannelView.ts"
import { Recipients } from "./Recipients.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "notificationChannels",
  Effect.fnUntraced(function* (handlers) {
    const channels = yield* Channels
    const recipients = yield* Recipients
    const tests = yield* ChannelTests.make
    const settings = yield* ApiSettings
    const { channels: kinds } = yield* Catalogue
    const writes = yield* ChannelWrites.make
    const refusing = ChannelWrites.refusals((yield* PaymentGateway).configured)
    const shown = (channel: StoredChannel) =>
      ChannelView.show(
        kinds,
        { ...channel, confirmation: recipients.confirmationOf(channel) },
        recipients.listOf(channel)
      )
    const shownTo = (role: Role) => (channel: StoredChannel) =>
      permits(role, "secrets.read") ? shown(channel) : ChannelView.withoutConfig(shown(channel))

    return handlers.handleAll({
      list: ({ query }) =>
        Effect.gen(function* () {
          const options = { ...(yield* Paging.read(query)), key: query.key }
          const page = yield* channels.list(yield* CallerProject, options)
          const view = shownTo(yield* CallerRole)
          return yield* Paging.answer(page, (item) => encode(view(item)), settings.baseUrl)
        }),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const { invited } = yield* writes.create(yield* CallerProject, payload)
          return shown(yield* invited)
        }),
      get: ({ params }) =>
        Effect.gen(function* () {
          const channel = yield* channels.get(yield* CallerProject, params.channelId)
          return shownTo(yield* CallerRole)(channel)
        }).pipe(refusing),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const { invited } = yield* writes.update(yield* CallerProject, params.channelId, payload)
          return shown(yield* invited)
        }),
      remove: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => writes.remove(projectId, params.channelId)).pipe(
          Effect.as({ id: params.channelId, deleted: true as const })
        ),
      compare: ({ params, payload }) =>
        Effect.gen(function* () {
          const current = yield* channels.get(yield* CallerProject, params.channelId)
          const isTrusted = permits(yield* CallerRole, "secrets.read")
          const as = isTrusted ? current : ChannelView.presumed(current, payload)
          const wanted = yield* Effect.fromResult(ChannelView.decodeChange(kinds, current, payload, as))
          const view = isTrusted ? identity : ChannelView.hiddenConfig
          return compareViews(current, wanted, view, differing, "config.")
        }).pipe(refusing),
      test: ({ params }) =>
        Effect.flatMap(CallerProject, (projectId) => tests.test(projectId, params.channelId)).pipe(refusing),
      sendConfirmation: ({ params, payload }) =>
        Effect.gen(function* () {
          const channel = yield* channels.get(yield* CallerProject, params.channelId)
          const { recipient } = yield* Effect.fromResult(decodeInvitation(payload ?? {}))
          yield* recipients.invite(channel, recipient)
          return shown(channel)
        }).pipe(refusing),
      confirm: ({ params, payload }) =>
        Effect.gen(function* () {
          const projectId = yield* CallerProject
          const channel = yield* channels.get(projectId, params.channelId)
          const { code, recipient } = yield* Effect.fromResult(decodeCode(payload))
          yield* recipients.confirm(channel.id, code, recipient)
          return shown(yield* channels.get(projectId, channel.id))
        }).pipe(refusing)
    })
  })
)

const encode = Schema.encodeSync(ChannelRecord)
const decodeInvitation = decodeStrict(CodeRequest)
const decodeCode = decodeStrict(ConfirmationCode)
