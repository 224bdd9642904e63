/** The endpoints of each kind of resource, on the client of the contract, with JSON bodies. */
import { ChannelId, IncidentId, MonitorId, RuleId, StatusPageId } from "@kanmon/domain/Ids"
import * as Body from "@kanmon/protocol/Body"
import type { ChannelRequest, ChannelUpdate } from "@kanmon/protocol/ChannelBody"
import type { Client } from "@kanmon/protocol/Client"
import type { IncidentRequest, IncidentUpdate } from "@kanmon/protocol/IncidentBody"
import type { KanmonError } from "@kanmon/protocol/KanmonError"
import { MonitorRequest, MonitorUpdate } from "@kanmon/protocol/MonitorBody"
import type { RuleRequest, RuleUpdate } from "@kanmon/protocol/RuleBody"
import type { PageRequest, PageUpdate } from "@kanmon/protocol/StatusPageBody"
import { Effect, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import type { Kind } from "./Resource.ts"

type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, KanmonError | Schema.SchemaError>

/** The endpoints of one kind. */
export interface Endpoints {
  readonly list: (query: { readonly cursor?: string }) => Sent
  readonly create: (body: Schema.Json) => Sent
  readonly update: (id: string, body: Schema.Json) => Sent
  readonly remove: (id: string) => Sent
}

interface Calls<Id, New, Change> {
  readonly list: (query: { readonly cursor?: string }) => Sent
  readonly create: (body: New) => Sent
  readonly update: (id: Id, body: Change) => Sent
  readonly remove: (id: Id) => Sent
}

const endpoints =
  <Id, New, Change>(id: Schema.Codec<Id, string>, created: Schema.Codec<New>, changed: Schema.Codec<Change>) =>
  (calls: Calls<Id, New, Change>): Endpoints => ({
    list: calls.list,
    create: (body) => Effect.flatMap(Schema.decodeUnknownEffect(created)(body), calls.create),
    update: (text, body) =>
      Effect.flatMap(
        Effect.all([Schema.decodeEffect(id)(text), Schema.decodeUnknownEffect(changed)(body)]),
        ([one, change]) => calls.update(one, change)
      ),
    remove: (text) => Effect.flatMap(Schema.decodeEffect(id)(text), calls.remove)
  })

// The schemas only check that these bodies are JSON; the server validates the fields.
const monitor = endpoints(MonitorId, MonitorRequest, MonitorUpdate)
const channel = endpoints(
  ChannelId,
  Body.sent<ChannelRequest>("NotificationChannelRequest"),
  Body.sent<ChannelUpdate>("NotificationChannelChange")
)
const rule = endpoints(RuleId, Body.sent<RuleRequest>("AlertRuleRequest"), Body.sent<RuleUpdate>("AlertRuleChange"))
const page = endpoints(
  StatusPageId,
  Body.sent<PageRequest>("StatusPageRequest"),
  Body.sent<PageUpdate>("StatusPageChange")
)

const maintenance = endpoints(
  IncidentId,
  Body.sent<IncidentRequest>("IncidentRequest"),
  Body.sent<IncidentUpdate>("IncidentChange")
)

const raw = { responseMode: "response-only" } as const

export const make = ({
  alertRules,
  channels,
  incidents,
  monitors,
  statusPages
}: Client): Readonly<Record<Kind, Endpoints>> => ({
  monitor: monitor({
    list: (query) => monitors.list({ ...raw, query }),
    create: (payload) => monitors.create({ ...raw, payload }),
    update: (monitorId, payload) => monitors.update({ ...raw, params: { monitorId }, payload }),
    remove: (monitorId) => monitors.remove({ ...raw, params: { monitorId } })
  }),
  channel: channel({
    list: (query) => channels.list({ ...raw, query }),
    create: (payload) => channels.create({ ...raw, payload }),
    update: (channelId, payload) => channels.update({ ...raw, params: { channelId }, payload }),
    remove: (channelId) => channels.remove({ ...raw, params: { channelId } })
  }),
  maintenance: maintenance({
    list: (query) => incidents.list({ ...raw, query: { ...query, maintenance: "true", keyed: "true" } }),
    create: (payload) => incidents.create({ ...raw, payload }),
    update: (incidentId, payload) => incidents.update({ ...raw, params: { incidentId }, payload }),
    remove: (incidentId) => incidents.remove({ ...raw, params: { incidentId } })
  }),
  rule: rule({
    list: (query) => alertRules.list({ ...raw, query }),
    create: (payload) => alertRules.create({ ...raw, payload }),
    update: (ruleId, payload) => alertRules.update({ ...raw, params: { ruleId }, payload }),
    remove: (ruleId) => alertRules.remove({ ...raw, params: { ruleId } })
  }),
  page: page({
    list: (query) => statusPages.list({ ...raw, query }),
    create: (payload) => statusPages.create({ ...raw, payload }),
    update: (statusPageId, payload) => statusPages.update({ ...raw, params: { statusPageId }, payload }),
    remove: (statusPageId) => statusPages.remove({ ...raw, params: { statusPageId } })
  })
})

/** Creates many monitors, all or none of them. */
export const createMonitors =
  ({ monitors }: Client) =>
  (bodies: ReadonlyArray<Schema.Json>): Sent =>
    Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(MonitorRequest))(bodies), (requests) =>
      monitors.createMany({ ...raw, payload: { monitors: requests } })
    )

/** Asks which fields of a monitor or channel an update would change. */
export const compare =
  ({ channels, monitors }: Client) =>
  (kind: Kind, text: string, body: Schema.Json): Sent =>
    kind === "monitor"
      ? Effect.flatMap(
          Effect.all([Schema.decodeEffect(MonitorId)(text), Schema.decodeUnknownEffect(MonitorUpdate)(body)]),
          ([monitorId, payload]) => monitors.compare({ ...raw, params: { monitorId }, payload })
        )
      : Effect.flatMap(
          Effect.all([
            Schema.decodeEffect(ChannelId)(text),
            Schema.decodeUnknownEffect(Body.sent<ChannelUpdate>("NotificationChannelChange"))(body)
          ]),
          ([channelId, payload]) => channels.compare({ ...raw, params: { channelId }, payload })
        )
