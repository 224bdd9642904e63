/** JSON Schemas of the bodies of monitors, from the check kinds that were loaded. */
import { CertificateSummary } from "@kanmon/domain/Certificate"
import { LastFailure } from "@kanmon/domain/Monitor"
import { MonitorStatus } from "@kanmon/domain/Status"
import { Result, Schema } from "effect"
import { clearable, defaultsOf as defaultsIn, type Json, jsonSchema, properties, requiredOf } from "./JsonSchema.ts"
import { commonFields, commonFieldsOf } from "./MonitorFields.ts"
import { type CheckKind, DomainSummary, Unset, Warning } from "./MonitorBody.ts"

const string = { type: "string" }
const time = { type: "string", format: "date-time" }

const readOnly = (): Json => ({
  id: string,
  projectId: string,
  pausedReason: {
    type: ["string", "null"],
    enum: ["plan_limit", null],
    description:
      "`plan_limit`: the plan has no room for it, or an administrator disabled the organization; null when a user paused it, or it is not paused"
  },
  wantedInterval: {
    type: ["integer", "null"],
    description: "The chosen interval, where the plan has raised it"
  },
  wantedRetryInterval: {
    type: ["integer", "null"],
    description: "The chosen retry interval, where the plan has raised it"
  },
  status: { type: "string", enum: [...MonitorStatus.literals] },
  stale: {
    type: "boolean",
    description:
      "Results are overdue: there was none for three intervals plus the timeout. `status` is the last known one"
  },
  lastCheckedAt: { type: ["string", "null"], format: "date-time" },
  lastFailure: {
    ...jsonSchema(Schema.NullOr(LastFailure)),
    description: "The newest failing check, also after a recovery; null when none has failed"
  },
  createdAt: time,
  updatedAt: time
})

/** The facts about the target of a monitor with a URL. */
const targetFindings = (): Json => ({
  certificate: {
    ...jsonSchema(Schema.NullOr(CertificateSummary)),
    description: "The certificate of the target; null until a check saw one"
  },
  domain: {
    ...jsonSchema(Schema.NullOr(DomainSummary)),
    description: "The registration of the target's domain; null until the registry was asked"
  }
})

const signalAddress: Json = {
  heartbeatUrl: { type: "string", format: "uri", description: "Where the job sends its signals" }
}

const warnings = (): Json => ({
  ...jsonSchema(Schema.Array(Warning)),
  description:
    "In responses to creation and update: settings that are accepted but will not work. Absent without warnings"
})

const unset = (): Json => ({
  ...jsonSchema(Unset),
  description:
    "Names of fields that go back to their defaults; needed for those of which null is a value, such as `jsonEquals`"
})

const findingsOf = (check: CheckKind): Json =>
  check.passive !== undefined ? signalAddress : "url" in check.config.fields ? targetFindings() : {}

let commonDefaults: Json | undefined
/** Equal for all types, and made with the first of them. */
const defaultsOfAll = (): Json => (commonDefaults ??= defaultsIn(commonFields))

/** The bodies of one type: for creation, for changes, and in responses. */
export interface MonitorSchemas {
  readonly request: Json
  readonly change: Json
  readonly record: Json
}

export const ofCheck = (check: CheckKind): MonitorSchemas => {
  const type = { type: "string", const: check.type }
  const own = requiredOf(jsonSchema(check.config))
  const title = `${check.type} monitor`
  const fields: Json = {
    ...properties(commonFieldsOf(check), { ...defaultsOfAll(), timeout: check.defaults.timeout }),
    ...properties(check.config.fields, defaultsOf(check))
  }
  const findings = findingsOf(check)
  const known = readOnly()
  const sent = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      check.writeOnly?.includes(name) === true ? { ...(field as Json), writeOnly: true } : field
    ])
  )
  return {
    request: {
      type: "object",
      title,
      description: check.summary,
      properties: { type, ...sent },
      required: ["name", "type", ...own],
      additionalProperties: false,
      examples: [{ name: "Example", type: check.type, ...check.example }]
    },
    change: {
      type: "object",
      title: `Change of a ${title}`,
      description: "Any of the fields; null puts one back to its default, unless null is a value of it",
      properties: { type, ...clearable(sent, ["name", ...own]), unset: unset() },
      additionalProperties: false
    },
    record: {
      type: "object",
      title,
      properties: { ...known, type, ...fields, ...findings, warnings: warnings() },
      required: [...Object.keys(known), "type", ...Object.keys(commonFields), ...own, ...Object.keys(findings)]
    }
  }
}

/** The defaults of the type: the fields that decoding an example adds. */
const defaultsOf = (check: CheckKind): Json => {
  const found: Record<string, unknown> = {}
  for (const name of Object.keys(check.config.fields)) {
    const { [name]: _, ...rest } = check.example
    const normal = check.normalize(rest)
    if (Result.isSuccess(normal) && normal.success[name] !== undefined) found[name] = normal.success[name]
  }
  return found
}
