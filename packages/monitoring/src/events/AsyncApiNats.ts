/** The NATS part of the AsyncAPI document: a channel per topic, a message per event type. */
import {
  type DataName,
  dataSchemas,
  growing,
  type PublicEvent,
  type Topic,
  topics
} from "@kanmon/domain/EventCatalogue"
import { cloudEventHeaders } from "@kanmon/domain/ServiceEvent"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { type Json, jsonSchema, properties } from "@kanmon/protocol/JsonSchema"

/** A reference within the document. */
export const ref = (...path: ReadonlyArray<string>): Json => ({
  $ref: `#/${path.join("/")}`
})

/** One day is given as 24 hours, to exclude calendar days. */
const days = (millis: number): string => (millis === dayMillis ? "24 hours" : `${millis / dayMillis} days`)

const natsChannel = ({ address, events, name, parameters, stream, summary }: Topic): Json => ({
  address,
  title: name,
  summary,
  description: `Kept for ${days(stream.maxAgeMillis)} in the JetStream stream \`${stream.name}\`, less if the stream reaches its size limit: then the oldest go first.`,
  servers: [ref("servers", "nats")],
  parameters: Object.fromEntries(
    Object.entries(parameters).map(([parameter, description]) => [
      parameter,
      parameter === "event"
        ? { description, enum: events.map((event) => event.name) }
        : { description, examples: [String(events[0]!.example[parameter] ?? 42)] }
    ])
  ),
  messages: Object.fromEntries(events.map(({ type }) => [type, ref("components", "messages", type)])),
  tags: [{ name: "NATS" }],
  "x-jetstream": { stream: stream.name, subjects: stream.subjects, maxAgeSeconds: stream.maxAgeMillis / 1000 }
})

const natsOperation = ({ name, summary }: Topic): Json => ({
  action: "send",
  channel: ref("channels", name),
  summary,
  tags: [{ name: "NATS" }],
  bindings: { nats: { bindingVersion: "0.1.0" } }
})

const headersSchema: Json = {
  type: "object",
  description: "The attributes of the CloudEvent in the NATS protocol binding's binary mode",
  properties: {
    "ce-specversion": { type: "string", const: "1.0" },
    "ce-id": { type: "string", minLength: 1, description: "Repeats of an event have the same ID" },
    "ce-source": { type: "string", const: "/kanmon" },
    "ce-type": { type: "string", description: "What happened" },
    "ce-subject": { type: "string", description: "The id of what it happened to" },
    "ce-time": { type: "string", format: "date-time", description: "When it happened" },
    "content-type": { type: "string", const: "application/json" }
  },
  required: Object.keys(cloudEventHeaders({ id: "", type: "", subject: "", time: 0 })),
  additionalProperties: true
}

/** The W3C header rather than the CloudEvents extension `ce-traceparent`: tracing libraries for NATS read and write it. */
const traceparent: Json = {
  type: "string",
  pattern: "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$",
  description:
    "W3C trace context of the check. Only for traced checks: failed ones, and a share of the others, if the probe has a collector"
}

/** The attributes of an example event. */
export const attributesOf = ({ about }: Topic, { example, name, type }: PublicEvent) => {
  const time = Date.parse(String(example["at"] ?? example["checkedAt"]))
  const subject = String(example[about])
  return cloudEventHeaders({ id: `${subject}:${time}:${name}`, type, subject, time })
}

const natsMessage = (topic: Topic, event: PublicEvent): Json => {
  const { data, example, name, summary, type } = event
  return {
    name: type,
    title: type,
    summary,
    contentType: "application/json",
    headers: {
      allOf: [
        ref("components", "schemas", "CloudEventHeaders"),
        {
          type: "object",
          properties: {
            "ce-type": { type: "string", const: type },
            ...(type === "kanmon.check.observed" ? { traceparent } : {})
          }
        }
      ]
    },
    payload: ref("components", "schemas", data),
    tags: [{ name: "NATS" }],
    examples: [{ name, summary, headers: attributesOf(topic, event), payload: example }]
  }
}

const dataSchema = (name: DataName): Json => {
  const schema = dataSchemas[name]
  const described = properties(schema.fields, {}) as Record<string, Json>
  for (const field of growing[name] ?? []) {
    const { enum: known, ...rest } = described[field]!
    described[field] = { ...rest, "x-extensible-enum": known }
  }
  return {
    type: "object",
    title: name,
    properties: described,
    required: jsonSchema(schema)["required"],
    additionalProperties: true
  }
}

export const natsChannels = (): Json => Object.fromEntries(topics.map((topic) => [topic.name, natsChannel(topic)]))

export const natsOperations = (): Json =>
  Object.fromEntries(topics.map((topic) => [`${topic.name}.send`, natsOperation(topic)]))

export const natsMessages = (): Json =>
  Object.fromEntries(topics.flatMap((topic) => topic.events.map((event) => [event.type, natsMessage(topic, event)])))

export const natsSchemas = (): Json => ({
  CloudEventHeaders: headersSchema,
  ...Object.fromEntries((Object.keys(dataSchemas) as Array<DataName>).map((name) => [name, dataSchema(name)]))
})
