/** The events of a project as a stream that does not end. */
import { boundedText, patternText } from "@kanmon/domain/BoundedText"
import { topics } from "@kanmon/domain/EventCatalogue"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Limits, Problems, projectHeader, ProjectOnly, projectParameter } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"

/** The maximum of open streams in one server, for each project and for each account. */
export const maxStreams = 20
export const maxStreamsOfAccount = 50

/** Every type of event that a project can read. */
export const eventTypes: ReadonlyArray<string> = topics
  .filter(({ overHttp }) => overHttp)
  .flatMap(({ events }) => events.map(({ type }) => type))

const resume = "Resume after the event with this id; `0` begins with the oldest that is kept"
const Sequence = patternText(20, /^[0-9]*$/, "Expected an event ID (a whole number)")

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

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/", {
      headers: { "Last-Event-ID": Schema.optionalKey(Sequence.annotate({ description: resume })) },
      query: {
        types: Schema.optionalKey(
          boundedText(4096).annotate({
            description:
              "Only these types, with commas between; `.*` at the end stands for the rest of a name. Without it, all but those of the audit log"
          })
        ),
        lastEventId: Schema.optionalKey(
          Sequence.annotate({
            description: `${resume}. For clients that cannot send the header; the header takes precedence`
          })
        ),
        [projectParameter]: Schema.optionalKey(
          boundedText(4096).annotate({
            description: `The project, \`prj_…\`, with a session. For clients that cannot send the header \`${projectHeader}\`; the header takes precedence`
          })
        )
      },
      success: Schema.String.annotate({ description: "The events, until one side disconnects" }).pipe(
        HttpApiSchema.asText({ contentType: "text/event-stream" })
      ),
      error: refuses("malformed_request", "rate_limited")
    }).annotateMerge(
      operation({
        id: "streamEvents",
        access: "events.read",
        summary: "Stream events",
        description: [
          "Streams the project's events as server-sent events (`text/event-stream`). Each has an `id` to resume after, its type as `event`, and a CloudEvent 1.0 in JSON as `data`, on one line.",
          "Events are kept for 30 days; older ones are not sent. Delivery is at least once: the `id` within the CloudEvent is the same each time. The stream begins with an `id`, so that a client that is disconnected before its first event can resume too.",
          `A comment comes every 15 seconds. A project may have ${maxStreams} streams open in one server, and an account ${maxStreamsOfAccount} over all its projects. A client that reads nothing for 30 seconds while events wait is disconnected; so is one that uses a replaced key, within seconds.`,
          `Types: ${eventTypes.map((type) => `\`${type}\``).join(", ")}.`
        ].join("\n\n"),
        parameters: { types: "kanmon.monitor.*,kanmon.alert.triggered" },
        response: example
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/events")
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "Events of a project as they happen, as a stream of server-sent events."
    })
  ) {}
