/** The HTTP part of the AsyncAPI document: a project's events in structured mode, as server-sent events. */
import { type PublicEvent, type Topic, topics } from "@kanmon/domain/EventCatalogue"
import { eventsStream } from "@kanmon/domain/Subjects"
import { dayMillis } from "@kanmon/domain/Timestamp"
import { attributesOf, ref } from "./AsyncApiNats.ts"
import { maxStreams } from "@kanmon/protocol/EventsApi"
import type { Json } from "@kanmon/protocol/JsonSchema"

const told: ReadonlyArray<readonly [Topic, PublicEvent]> = topics
  .filter(({ overHttp }) => overHttp)
  .flatMap((topic) => topic.events.map((event) => [topic, event] as const))

const messageName = (type: string): string => `http.${type}`

export const httpChannels: Json = {
  http: {
    address: "/events",
    title: "http",
    summary: "All events of one project, as server-sent events",
    description: [
      "`GET` answers `text/event-stream`. In each server-sent event, `data` is a message of this channel on one line, `event` is its `type`, and `id` is the position to continue after.",
      `With the header \`Last-Event-ID\`, or \`lastEventId\` in the query, what happened since is sent first. Events are kept for ${eventsStream.maxAgeMillis / dayMillis} days. A project may have ${maxStreams} streams open in one server.`
    ].join("\n\n"),
    servers: [ref("servers", "api")],
    messages: Object.fromEntries(
      told.map(([, { type }]) => [messageName(type), ref("components", "messages", messageName(type))])
    ),
    tags: [{ name: "HTTP" }]
  }
}

export const httpOperations: Json = {
  "http.send": {
    action: "send",
    channel: ref("channels", "http"),
    summary: "All events of one project, as server-sent events",
    tags: [{ name: "HTTP" }],
    bindings: {
      http: {
        method: "GET",
        query: {
          type: "object",
          properties: {
            types: {
              type: "string",
              description: "Comma-separated types; a trailing `.*` matches the rest of a name",
              examples: ["kanmon.monitor.*,kanmon.alert.triggered"]
            },
            lastEventId: {
              type: "string",
              pattern: "^[0-9]*$",
              description: "Continue after the event with this ID; `0` starts with the oldest stored event"
            }
          },
          additionalProperties: false
        },
        bindingVersion: "0.3.0"
      }
    }
  }
}

export const httpSchemas: Json = {
  CloudEvent: {
    type: "object",
    title: "CloudEvent",
    description: "A CloudEvent 1.0 in JSON",
    properties: {
      specversion: { type: "string", const: "1.0" },
      id: { type: "string", minLength: 1, description: "Repeats of an event have the same ID" },
      source: { type: "string", const: "/kanmon" },
      type: { type: "string", description: "What happened" },
      subject: { type: "string", description: "The id of what it happened to" },
      time: { type: "string", format: "date-time", description: "When it happened" },
      datacontenttype: { type: "string", const: "application/json" },
      data: { type: "object", additionalProperties: true }
    },
    required: ["specversion", "id", "source", "type", "subject", "time", "datacontenttype", "data"],
    additionalProperties: true
  }
}

const httpMessage = (topic: Topic, event: PublicEvent): Json => {
  const { data, example, name, summary, type } = event
  const attributes = attributesOf(topic, event)
  const attribute = (key: string) => attributes[`ce-${key}`]
  return {
    name: messageName(type),
    title: `${type} over HTTP`,
    summary,
    contentType: "application/cloudevents+json",
    payload: {
      allOf: [
        ref("components", "schemas", "CloudEvent"),
        {
          type: "object",
          properties: { type: { type: "string", const: type }, data: ref("components", "schemas", data) }
        }
      ]
    },
    tags: [{ name: "HTTP" }],
    examples: [
      {
        name,
        summary,
        payload: {
          ...Object.fromEntries(
            ["specversion", "id", "source", "type", "subject", "time"].map((key) => [key, attribute(key)])
          ),
          datacontenttype: attributes["content-type"],
          data: example
        }
      }
    ]
  }
}

export const httpMessages: Json = Object.fromEntries(
  told.map(([topic, event]) => [messageName(event.type), httpMessage(topic, event)])
)
