/** The signals' part of the OpenAPI document, written by hand: one route takes them in every form. */
import { basePath } from "@kanmon/protocol/Api"
import type { ProblemCode } from "@kanmon/protocol/Problem"

type Json = Readonly<Record<string, unknown>>

export const heartbeatTag = {
  name: "Heartbeats",
  description: "Signals that jobs send to heartbeat monitors."
}

const token: Json = {
  name: "token",
  in: "path",
  required: true,
  description: "From the monitor's heartbeatUrl",
  schema: { type: "string" }
}
const action: Json = {
  name: "action",
  in: "path",
  required: true,
  description: "`start`, `fail`, `log`, or the exit code of the job (0 is success)",
  schema: { type: "string", pattern: "^(start|fail|log|[0-9]{1,3})$" }
}
const rid: Json = {
  name: "rid",
  in: "query",
  required: false,
  description: "Id of the run, which matches a start to its end when runs overlap",
  schema: { type: "string", maxLength: 64 }
}

const content: Json = {
  "application/json": {
    schema: {
      type: "object",
      properties: {
        metrics: {
          type: "object",
          maxProperties: 50,
          propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_.-]{0,63}$" },
          additionalProperties: { type: "number" }
        },
        message: { type: "string", description: "The last 10,000 characters are kept" }
      },
      additionalProperties: false
    },
    example: { metrics: { rows: 1200 }, message: "1200 rows saved" }
  },
  "text/plain": { schema: { type: "string", description: "The message" }, example: "1200 rows saved" }
}

const taken: Json = {
  "200": {
    description: "The signal is stored",
    content: {
      "application/json": {
        schema: { type: "object", properties: { ok: { type: "boolean", const: true } }, required: ["ok"] },
        example: { ok: true }
      }
    }
  }
}

/** What a signal may be refused with besides what every request may. */
export const heartbeatProblems: Readonly<Record<string, ReadonlyArray<ProblemCode>>> = Object.fromEntries(
  ["reportSuccessByGet", "reportSuccess", "reportActionByGet", "reportAction"].map((id) => [
    id,
    ["not_found", "payload_too_large", "validation_failed"]
  ])
)

const operation = (
  operationId: string,
  { effect, summary }: typeof success,
  parameters: ReadonlyArray<Json>,
  body: boolean
): Json => ({
  tags: [heartbeatTag.name],
  operationId,
  summary,
  description:
    `${effect} Numbers in the query are metrics: \`?m.rows=12\`. HEAD does the same as GET. ` +
    "A signal with an invalid query or body is recorded without the invalid part and answered with 422 and `recorded: true`; " +
    "one with an unknown token (404) or a body over 100 kB (413) is not recorded.",
  security: [],
  parameters: [...parameters, rid],
  ...(body ? { requestBody: { required: false, content } } : {}),
  responses: taken
})

const success = {
  summary: "Report success",
  effect: "Records that the job succeeded."
}
const others = {
  summary: "Report a job's state",
  effect: "Records that the job started, failed, wrote a log message or ended with an exit code."
}

export const heartbeatPaths: Json = {
  [`${basePath}/heartbeat/{token}`]: {
    get: operation("reportSuccessByGet", success, [token], false),
    post: operation("reportSuccess", success, [token], true)
  },
  [`${basePath}/heartbeat/{token}/{action}`]: {
    get: operation("reportActionByGet", others, [token, action], false),
    post: operation("reportAction", others, [token, action], true)
  }
}
