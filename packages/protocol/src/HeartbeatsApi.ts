/** Where jobs send their signals. The token in the address is the only credential. */
import { boundedText, patternText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Problems } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { Declared } from "./Serving.ts"
import { ByMediaType, operation } from "./internal/Operation.ts"

const token = boundedText(100).annotate({ description: "From the monitor's `heartbeatUrl`" })
const action = patternText(5, /^(start|fail|log|[0-9]{1,3})$/, "Expected start, fail, log or an exit code").annotate({
  description: "`start`, `fail`, `log`, or the exit code of the job (0 is success)"
})

const word = boundedText(1000)

const query = {
  rid: Schema.optionalKey(
    boundedText(64).annotate({
      description: "Id of the run, which matches a start to its end when runs overlap"
    })
  ),
  status: Schema.optionalKey(
    word.annotate({
      description:
        "`up`, `ok`, `success` or `complete`; `down`, `fail`, `failed` or `error`; `run` or `start`. `state` means the same"
    })
  ),
  state: Schema.optionalKey(word.annotate({ description: "The same words as `status`" })),
  success: Schema.optionalKey(word.annotate({ description: "`true` or `false`" })),
  exit_code: Schema.optionalKey(word.annotate({ description: "The exit code of the job; 0 is success" })),
  msg: Schema.optionalKey(boundedText(16_384).annotate({ description: "The message" })),
  message: Schema.optionalKey(boundedText(16_384).annotate({ description: "The message" })),
  ping: Schema.optionalKey(word.annotate({ description: "Milliseconds that the job took" })),
  duration: Schema.optionalKey(word.annotate({ description: "Seconds that the job took" }))
}

const Value = Schema.Union([boundedText(1_048_576), Schema.Finite, Schema.Boolean])

const MetricName = patternText(64, /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, "Expected a metric's name")

const payload = [
  Schema.Struct({
    metrics: Schema.optionalKey(Schema.Record(MetricName, Schema.Finite)),
    message: Schema.optionalKey(boundedText(1_048_576).annotate({ description: "The message" })),
    status: Schema.optionalKey(Value),
    state: Schema.optionalKey(Value),
    success: Schema.optionalKey(Value),
    exit_code: Schema.optionalKey(Value),
    msg: Schema.optionalKey(Value),
    ping: Schema.optionalKey(Value),
    duration: Schema.optionalKey(Value)
  }),
  boundedText(1_048_576).annotate({ description: "The message" }).pipe(HttpApiSchema.asText())
] as const

const success = Schema.Struct({
  ok: Schema.Literal(true),
  truncated: Schema.optionalKey(
    Schema.Boolean.annotate({
      description: "Whether the text was over 100 kB, and only its first and last 50 kB are kept"
    })
  ),
  warnings: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        code: Schema.String.annotate({
          description: "`unknown_parameter`, `unknown_status`, `invalid_parameter`, `contradiction` or `unread_body`"
        }),
        message: Schema.String
      })
    ).annotate({ description: "Parts of the signal that were not understood; the signal counts without them" })
  )
}).annotate({ identifier: "SignalAnswer" })
const error = refuses("not_found", "payload_too_large", "validation_failed", "rate_limited")
const errorWithBody = [...error, ...refuses("request_timeout", "unsupported_media_type")]

const shared = {
  request: new ByMediaType({
    "application/json": { metrics: { rows: 1200 }, message: "1200 rows saved" },
    "text/plain": "1200 rows saved"
  }),
  response: { ok: true },
  headers: { "Access-Control-Allow-Origin": "`*`: signals can be sent from any website" },
  optionalBody: true
} as const

const rules =
  "Numbers in the query are metrics: `?m.rows=12`. HEAD does the same as GET. " +
  "Parameters of Uptime Kuma, Cronitor, Better Stack and Dead Man's Snitch mean what they mean there, in the query, a form or a " +
  "JSON body; a failure that any of them states counts, and what is not known is named in `warnings`. " +
  "A signal with an invalid query or body is recorded without the invalid part and answered with 422 and `recorded: true`; " +
  "one with a body over 1 MiB is recorded with the ends of the body and answered with 413 and `recorded: true`; " +
  "one with an unknown token (404) is not recorded."

const reported = { summary: "Report success", description: `Records that the job succeeded. ${rules}` }
const state = {
  summary: "Report a job's state",
  description: `Records that the job started, failed, wrote a log message or ended with an exit code. ${rules}`
}

export class HeartbeatsApi extends HttpApiGroup.make("heartbeats")
  .add(
    HttpApiEndpoint.get("successByGet", "/:token", { params: { token }, query, success, error }).annotateMerge(
      operation({ ...shared, ...reported, id: "reportSuccessByGet" })
    ),
    HttpApiEndpoint.post("success", "/:token", {
      params: { token },
      query,
      payload,
      success,
      error: errorWithBody
    }).annotateMerge(operation({ ...shared, ...reported, id: "reportSuccess" })),
    HttpApiEndpoint.get("actionByGet", "/:token/:action", {
      params: { token, action },
      query,
      success,
      error
    }).annotateMerge(operation({ ...shared, ...state, id: "reportActionByGet" })),
    HttpApiEndpoint.post("action", "/:token/:action", {
      params: { token, action },
      query,
      payload,
      success,
      error: errorWithBody
    }).annotateMerge(operation({ ...shared, ...state, id: "reportAction" })),
    // Browsers ask before they send a signal from another site.
    HttpApiEndpoint.options("preflight", "/:token").annotate(OpenApi.Exclude, true),
    HttpApiEndpoint.options("preflightOfAction", "/:token/:action").annotate(OpenApi.Exclude, true)
  )
  // Signals count even if their body is too long or compressed.
  .annotateEndpoints(Declared, { readsAnyBody: true, isPolled: true })
  .middleware(Problems)
  .prefix("/heartbeat")
  .annotateMerge(
    OpenApi.annotations({ title: "Heartbeats", description: "Signals that jobs send to heartbeat monitors." })
  ) {}
