/** Signals of heartbeat monitors and the texts that jobs sent with them. */
import { keptDays } from "@kanmon/domain/Capture"
import { SignalKind } from "@kanmon/domain/Heartbeat"
import { MonitorId, SignalId } from "@kanmon/domain/Ids"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { pageQuery, rangeQuery } from "./Lists.ts"
import { Authorization, Limits, Problems, ProjectOnly } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation } from "./internal/Operation.ts"

/** One signal of a job. */
export const SignalRecord = Schema.Struct({
  id: SignalId,
  kind: SignalKind,
  at: Timestamp.annotate({ description: "When it arrived" }),
  exitCode: Schema.NullOr(Schema.Int).annotate({ description: "The exit code of the job, if it was reported" }),
  durationSeconds: Schema.NullOr(Schema.Finite).annotate({
    description: "How long the run took that it ended; null when that is not known"
  }),
  metrics: Schema.Record(Schema.String, Schema.Finite),
  size: Schema.Finite.annotate({ description: "Bytes of the body, or of the message in the query, as they were sent" }),
  truncated: Schema.Boolean.annotate({ description: "Whether only the first and the last 50 kB of the text are kept" }),
  firstLine: Schema.NullOr(Schema.String).annotate({
    description: "The first line of what the job said, at most 200 characters; null when it said nothing"
  }),
  address: Schema.NullOr(Schema.String).annotate({ description: "The IP address that it came from" })
}).annotate({ identifier: "Signal" })

const example: typeof SignalRecord.Encoded = {
  id: "sig_3b7d4bad9bdd2b0d7b3dcb6d9b1deb4d",
  kind: "fail",
  at: "2026-11-20T02:41:07.512Z",
  exitCode: 1,
  durationSeconds: 667.5,
  metrics: { rows: 1200 },
  size: 48_211,
  truncated: false,
  firstLine: "rsync: write failed on /backup: no space left on device",
  address: "203.0.113.7"
}

const params = { monitorId: MonitorId }

export class SignalsApi extends HttpApiGroup.make("signals")
  .add(
    HttpApiEndpoint.get("list", "/:monitorId/signals", {
      params,
      query: { ...pageQuery, ...rangeQuery, kind: Schema.optionalKey(SignalKind) },
      success: Schema.Array(SignalRecord),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      operation({
        id: "listSignals",
        access: "monitors.read",
        summary: "List signals",
        description:
          "Lists the signals of a heartbeat monitor, newest first, by default of the last 30 days. The list is empty for other types. A range of more than 400 days is refused with 400.",
        response: [example]
      })
    ),
    HttpApiEndpoint.get("body", "/:monitorId/signals/:signalId/body", {
      params: { ...params, signalId: SignalId },
      success: Schema.String.annotate({
        description: "The text. It is text of the job: do not interpret it as HTML"
      }).pipe(HttpApiSchema.asText()),
      error: refuses("not_found")
    }).annotateMerge(
      operation({
        id: "getSignalBody",
        access: "monitors.read",
        summary: "Get what a job said",
        description: `Returns the body of a signal as it was sent, or the message of its query when it had none. A body of more than 100 kB is cut to its first and its last 50 kB, with a line between them that says how much is left out. The token of the monitor is masked. Texts are kept for ${keptDays} days; 404 afterwards.`,
        response: "rsync: write failed on /backup: no space left on device",
        parameters: { signalId: example.id }
      })
    )
  )
  .middleware(ProjectOnly)
  .middleware(Limits)
  .middleware(Authorization)
  .middleware(Problems)
  .prefix("/monitors")
  .annotateMerge(
    OpenApi.annotations({ title: "Signals", description: "Signals and output of the jobs of heartbeat monitors." })
  ) {}
