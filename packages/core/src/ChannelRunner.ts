/**
 * Sends one notice or message through one channel, once: starts the channel, limits its time, and turns its defects into
 * retryable failures, so that a broken plugin affects only its own channels.
 */
import { createHash } from "node:crypto"
import { Context, type Duration, Effect, Layer, Result, type Schema } from "effect"
import * as Activity from "./Activity.ts"
import {
  type CalledOff,
  type Channel,
  type DeliveryError,
  gone,
  type Message,
  type Receipt,
  rejected,
  type Started,
  throttled,
  unreachable
} from "./Channel.ts"
import { Dialer } from "./Dialer.ts"
import { redact } from "./HttpDelivery.ts"
import { secretValues } from "./Masking.ts"
import * as NetworkPolicy from "./NetworkPolicy.ts"
import * as NodeDialer from "./NodeDialer.ts"
import type { Notice } from "./Notice.ts"
import { Catalogue } from "./PluginHost.ts"
import * as Quarantine from "./Quarantine.ts"
import type { Incoming, Replies } from "./Replies.ts"
import { Resolver } from "./Resolver.ts"
import * as TimeLimit from "./internal/TimeLimit.ts"

export interface ChannelRunnerSettings {
  readonly dialer: NodeDialer.DialerSettings
  /** The operator's validated settings by channel type. */
  readonly operator: ReadonlyMap<string, object>
  readonly timeout?: Duration.Input
}

const usualTimeout = "30 seconds"

/** The channel data needed for sending. */
interface Sending {
  /** Absent for one that is not stored. */
  readonly id?: string
  readonly type: string
  readonly config: unknown
}

/** Replies with the operator's settings. */
export interface BoundReplies extends Pick<Replies, "hooks" | "read" | "respond"> {
  /** The types of channels that have them. */
  readonly types: ReadonlyArray<string>
  readonly isSetUp: boolean
  readonly isFrom: (incoming: Incoming) => boolean
}

export class ChannelRunner extends Context.Service<
  ChannelRunner,
  {
    readonly deliver: (channel: Sending, notice: Notice) => Effect.Effect<Receipt, DeliveryError>
    /** For kinds with a recipient, and those that reach a person. */
    readonly message: (channel: Sending, message: Message) => Effect.Effect<Receipt, DeliveryError>
    /** Ends or changes a message that the provider accepted; nothing where the kind cannot. */
    readonly callOff: (channel: Sending, message: CalledOff) => Effect.Effect<void, DeliveryError>
    /** The replies of a provider, with the operator's settings; undefined without a plugin for it. */
    readonly repliesOf: (provider: string) => BoundReplies | undefined
    /** Whether the operator's settings are sufficient for this type. */
    readonly isSetUp: (type: string) => boolean
    /** The number from which messages of this type are sent, if the operator's settings name one. */
    readonly senderOf: (type: string) => string | undefined
  }
>()("@kanmon/core/ChannelRunner") {
  static readonly layer = (settings: ChannelRunnerSettings): Layer.Layer<ChannelRunner, never, Catalogue | Resolver> =>
    Layer.effect(
      ChannelRunner,
      Effect.gen(function* () {
        const { channels, versionOf } = yield* Catalogue
        const quarantine = yield* Quarantine.decisions
        const resolver = yield* Resolver
        const dialers = new Map(
          [...channels].map(([type, { destinations }]) => [
            type,
            dialerFor(destinations(settings.operator.get(type) ?? {}), settings.dialer, resolver)
          ])
        )

        const activityOf = ({ config, id, type }: Sending): Activity.Activity => {
          const settings = createHash("sha256").update(JSON.stringify(config)).digest("base64url")
          const version = `${settings} ${versionOf("channel", type)}`
          return { kind: "channel", key: id ?? type, version, label: type, size: null }
        }

        const attempt = (name: string) =>
          Effect.fn(name)(
            function* (sent: Sending, send: (started: Started) => Effect.Effect<Receipt, DeliveryError, Dialer>) {
              const { config, type } = sent
              const activity = () => activityOf(sent)
              if (quarantine.holds("channel", activity)) return yield* rejected(quarantined)
              const channel = channels.get(type)
              const dialer = dialers.get(type)
              if (channel === undefined || dialer === undefined)
                return yield* rejected(`This server has no plugin for channels of type ${type}`)
              const secrets = secretValues(config as Schema.JsonObject, channel)
              const sending = Effect.gen(function* () {
                const started = channel.start(config, settings.operator.get(type))
                if (Result.isFailure(started))
                  return yield* rejected(`The channel's settings are no longer valid: ${started.failure.message}`)
                return yield* Effect.flatMap(started.success, send)
              })
              return yield* sending.pipe(
                Effect.scoped,
                Effect.provideService(Dialer, dialer),
                (delivery) =>
                  TimeLimit.within(delivery, settings.timeout ?? usualTimeout, () =>
                    Effect.fail(unreachable("The destination did not answer in time"))
                  ),
                Effect.provideService(Activity.CurrentActivity, activity),
                Effect.mapBoth({
                  onSuccess: (receipt) => ({ ...receipt, detail: redact(receipt.detail, secrets) }),
                  onFailure: ({ reason }) => withoutSecrets(reason, secrets)
                }),
                Effect.catchDefect((defect) =>
                  Effect.logError("A channel plugin crashed").pipe(
                    Effect.annotateLogs({ type, fault: redact(String(defect), secrets) }),
                    Effect.andThen(Effect.fail(unreachable("The channel plugin crashed; see the logs")))
                  )
                )
              )
            },
            Effect.annotateSpans("kind", "channel")
          )

        const delivering = attempt("ChannelRunner.deliver")
        const messaging = attempt("ChannelRunner.message")
        const callingOff = attempt("ChannelRunner.callOff")
        const providers = providersOf(channels, settings.operator)

        return ChannelRunner.of({
          deliver: (channel, notice) => delivering(channel, ({ deliver }) => deliver(notice)),
          message: (channel, message) =>
            messaging(
              channel,
              (started) =>
                started.message?.(message) ?? rejected(`Channels of type ${channel.type} do not support messages`)
            ),
          callOff: (channel, message) =>
            Effect.asVoid(
              callingOff(channel, (started) =>
                started.callOff === undefined
                  ? Effect.succeed(nothingDone)
                  : Effect.as(started.callOff(message), nothingDone)
              )
            ),
          repliesOf: (provider) => providers.get(provider),
          isSetUp: (type) => channels.get(type)?.isSetUp?.(settings.operator.get(type) ?? {}) ?? true,
          senderOf: (type) => channels.get(type)?.sender?.(settings.operator.get(type) ?? {})
        })
      })
    )
}

const nothingDone: Receipt = { detail: "" }

/** The providers of replies by name, each with the settings of the first of its channel types. */
const providersOf = (
  channels: ReadonlyMap<string, Pick<Channel, "replies" | "type">>,
  operator: ReadonlyMap<string, object>
): ReadonlyMap<string, BoundReplies> =>
  new Map(
    [...Map.groupBy(channels.values(), ({ replies }) => replies?.provider)].flatMap(([provider, kinds]) => {
      const [{ replies, type }] = kinds as [Pick<Channel, "replies" | "type">]
      if (provider === undefined || replies === undefined) return []
      const own = operator.get(type) ?? {}
      const { hooks, read, respond } = replies
      const types = kinds.map((kind) => kind.type)
      const isFrom = (incoming: Incoming) => replies.isFrom(incoming, own)
      return [[provider, { hooks, read, respond, types, isSetUp: replies.isSetUp(own), isFrom }] as const]
    })
  )

const quarantined =
  "A delivery through this channel blocked the engine for seconds, twice. Nothing is sent until the channel or the plugin of its type is changed"

/** Channels redact what they quote; this catches what a channel missed before it is stored and shown. */
const withoutSecrets = (reason: DeliveryError["reason"], secrets: ReadonlyArray<string>): DeliveryError => {
  const detail = redact(reason.detail, secrets)
  switch (reason._tag) {
    case "Gone":
      return gone(detail)
    case "Unreachable":
      return unreachable(detail)
    case "Throttled":
      return throttled(detail, reason.retryAfter)
    default:
      return rejected(detail)
  }
}

/** The policy's dialer, which also allows the addresses in the operator's settings for this kind. */
const dialerFor = (
  destinations: ReadonlyArray<string>,
  settings: NodeDialer.DialerSettings,
  resolver: Resolver["Service"]
): Dialer["Service"] => {
  const usual = NodeDialer.make(settings, resolver)
  const named = new Set(destinations.flatMap((address) => authorityOf(address) ?? []))
  if (named.size === 0) return usual
  const free = NodeDialer.make({ ...settings, allowPrivate: true }, resolver)
  return Dialer.of({
    ping: usual.ping,
    // An operator's host that is named with another address means the other address.
    dial: (options) =>
      (options.address === undefined && named.has(NetworkPolicy.authority(options.host, options.port))
        ? free
        : usual
      ).dial(options)
  })
}

const usualPorts: Record<string, number> = { "http:": 80, "https:": 443, "smtp:": 587, "smtps:": 465 }

const authorityOf = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { hostname, port, protocol } = new URL(address)
  const number = port === "" ? usualPorts[protocol] : Number(port)
  return number === undefined ? undefined : NetworkPolicy.authority(hostname.replace(/^\[|\]$/g, ""), number)
}
