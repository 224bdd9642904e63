/** The event stream's part of the OpenAPI document, written by hand: its answer never ends. */
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"
import { eventTypes } from "./EventReading.ts"
import { mostStreams, mostStreamsOfAccount } from "./OpenStreams.ts"

type Json = Readonly<Record<string, unknown>>

export const eventTag = {
  name: "Events",
  description: "Events of a project as they happen, as a stream of server-sent events."
}

const resume = "Resume after the event with this id; `0` begins with the oldest that is kept"

const example = [
  "id: 4710",
  "retry: 3000",
  "",
  "id: 4711",
  "event: kanmon.monitor.down",
  `data: {"specversion":"1.0","id":"mon_01kxy:1795163400000:down","source":"/kanmon","type":"kanmon.monitor.down","subject":"mon_01kxy","time":"2026-11-20T08:30:00.000Z","datacontenttype":"application/json","data":{"monitorId":"mon_01kxy","status":"down"}}`,
  "",
  ": keep-alive",
  "",
  ""
].join("\n")

/** What the stream may be refused with besides what every request may. */
export const eventProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = {
  streamEvents: ["unauthorized", "malformed_request"]
}

export const eventPaths: Json = {
  [`${basePath}/events`]: {
    get: {
      tags: [eventTag.name],
      operationId: "streamEvents",
      summary: "Stream events",
      description: [
        "Streams the project's events as server-sent events (`text/event-stream`). Each has an `id` to resume after, its type as `event`, and a CloudEvent 1.0 in JSON as `data`, on one line.",
        "Events are kept for 30 days; older ones are not sent. Delivery is at least once: the `id` within the CloudEvent is the same each time. The stream begins with an `id`, so that a client that is disconnected before its first event can resume too.",
        `A comment comes every 15 seconds. A project may have ${mostStreams} streams open in one server, and an account ${mostStreamsOfAccount} over all its projects. A client that reads nothing for 30 seconds while events wait is disconnected; so is one that uses a replaced key, within seconds.`,
        `Types: ${eventTypes.map((type) => `\`${type}\``).join(", ")}.`
      ].join("\n\n"),
      security: [{ apiKey: [] }],
      parameters: [
        {
          name: "types",
          in: "query",
          required: false,
          description: "Only these types, with commas between; `.*` at the end stands for the rest of a name",
          schema: { type: "string" },
          example: "kanmon.monitor.*,kanmon.alert.triggered"
        },
        {
          name: "Last-Event-ID",
          in: "header",
          required: false,
          description: resume,
          schema: { type: "string", pattern: "^[0-9]*$" }
        },
        {
          name: "lastEventId",
          in: "query",
          required: false,
          description: `${resume}. For clients that cannot send the header; the header takes precedence`,
          schema: { type: "string", pattern: "^[0-9]*$" }
        }
      ],
      responses: {
        "200": {
          description: "The events, until one side disconnects",
          content: { "text/event-stream": { schema: { type: "string" }, example } }
        }
      }
    }
  }
}
