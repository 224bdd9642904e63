/** Schemas of the bodies that the loaded plugins define, by their names in the OpenAPI document. */
import { channelChange, type DescribedChannelKind, ofChannel } from "../ChannelSchemas.ts"
import type { Json } from "../JsonSchema.ts"
import type { CheckKind } from "../MonitorBody.ts"
import { ofCheck } from "../MonitorSchemas.ts"

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** One of the schemas `name.type`, told apart by the field `type`. */
const oneOf = (name: string, types: ReadonlyArray<string>): Json => ({
  oneOf: types.map((type) => schemaRef(`${name}.${type}`)),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(types.map((type) => [type, `#/components/schemas/${name}.${type}`]))
  }
})

/** Bodies of responses. */
export const recordSchemas = (checks: ReadonlyArray<CheckKind>): Json => ({
  Monitor: oneOf("Monitor", typesOf(checks)),
  ...Object.fromEntries(checks.map((check) => [`Monitor.${check.type}`, ofCheck(check).record]))
})

/** Bodies of requests. */
export const pluginRequests = (
  checks: ReadonlyArray<CheckKind>,
  channels: ReadonlyArray<DescribedChannelKind>
): Json => ({
  MonitorRequest: oneOf("MonitorRequest", typesOf(checks)),
  MonitorChange: { anyOf: checks.map(({ type }) => schemaRef(`MonitorChange.${type}`)) },
  ...Object.fromEntries(
    checks.flatMap((check) => {
      const { change, request } = ofCheck(check)
      return [
        [`MonitorRequest.${check.type}`, request],
        [`MonitorChange.${check.type}`, change]
      ]
    })
  ),
  NotificationChannelRequest: oneOf("NotificationChannelRequest", typesOf(channels)),
  NotificationChannelChange: channelChange(),
  ...Object.fromEntries(channels.map((channel) => [`NotificationChannelRequest.${channel.type}`, ofChannel(channel)]))
})

const typesOf = (kinds: ReadonlyArray<{ readonly type: string }>): ReadonlyArray<string> =>
  kinds.map(({ type }) => type)
