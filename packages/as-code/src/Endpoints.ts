/** The endpoints that `kanmon apply` uses, on the client of the contract, with JSON bodies. */
import { ChannelId, MonitorId } from "@kanmon/domain/Ids"
import * as Body from "@kanmon/protocol/Body"
import type { ChannelUpdate } from "@kanmon/protocol/ChannelBody"
import type { ChangesRequest } from "@kanmon/protocol/ChangesBody"
import type { Client } from "@kanmon/protocol/Client"
import type { KanmonError } from "@kanmon/protocol/KanmonError"
import { MonitorRequest, MonitorUpdate } from "@kanmon/protocol/MonitorBody"
import { Effect, Schema } from "effect"
import type { HttpClientResponse } from "effect/http"
import type { OrganizationId } from "@kanmon/domain/Ids"
import type { Kind } from "./Resource.ts"

type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, KanmonError | Schema.SchemaError>

type List = (query: { readonly cursor?: string }) => Sent

const raw = { responseMode: "response-only" } as const

/** The list of each kind, without records that files do not manage where the API tells them apart. */
export const lists = (
  {
    alertRules,
    escalationPolicies,
    incidents,
    integrations,
    monitors,
    notificationChannels,
    schedules,
    statusPages
  }: Client,
  organization: Effect.Effect<OrganizationId, KanmonError | Schema.SchemaError>
): Readonly<Record<Kind, List>> => ({
  monitor: (query) => monitors.list({ ...raw, query }),
  channel: (query) => notificationChannels.list({ ...raw, query }),
  maintenance: (query) => incidents.list({ ...raw, query: { ...query, maintenance: "true", keyed: "true" } }),
  schedule: () =>
    Effect.flatMap(organization, (organizationId) => schedules.list({ ...raw, params: { organizationId }, query: {} })),
  policy: () =>
    Effect.flatMap(organization, (organizationId) =>
      escalationPolicies.list({ ...raw, params: { organizationId }, query: {} })
    ),
  rule: (query) => alertRules.list({ ...raw, query }),
  integration: (query) => integrations.list({ ...raw, query }),
  page: (query) => statusPages.list({ ...raw, query })
})

/** The list of each kind, with the records that no file manages. */
export const everyList = (client: Client, organization: Parameters<typeof lists>[1]): Readonly<Record<Kind, List>> => ({
  ...lists(client, organization),
  maintenance: (query) => client.incidents.list({ ...raw, query: { ...query, maintenance: "true" } })
})

/** The members and the teams of an organization. */
export const people = ({ organizations, teams }: Client, organizationId: OrganizationId) => ({
  members: organizations.listMembers({ ...raw, params: { organizationId } }),
  teams: teams.list({ ...raw, params: { organizationId } })
})

/** Checks a monitor once, and stores nothing. */
export const test =
  ({ checks }: Client) =>
  (body: Schema.Json): Sent =>
    Effect.flatMap(Schema.decodeUnknownEffect(MonitorRequest)(body), (payload) => checks.test({ ...raw, payload }))

/** Makes changes together, or has them judged. */
export const change =
  ({ changes }: Client) =>
  (payload: ChangesRequest): Sent =>
    changes.apply({ ...raw, payload })

/** Asks which fields of a monitor or channel an update would change. */
export const compare =
  ({ monitors, notificationChannels }: Client) =>
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
          ([channelId, payload]) => notificationChannels.compare({ ...raw, params: { channelId }, payload })
        )
