/** Monitors in the audit log: the fields that users set, without secrets. */
import { hidden, withoutPaths } from "@kanmon/core/Masking"
import type { ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { Effect, type Schema } from "effect"
import type { AuditedChange } from "@kanmon/identity/audit"
import { ConfigSecrets } from "@kanmon/platform/ConfigSecrets"

/** The fields that users decide, those of the type flat among them. */
export const fieldsOf = ({
  config,
  createdAt: _createdAt,
  id: _id,
  lastCheckedAt: _lastCheckedAt,
  lastFailure: _lastFailure,
  projectId: _projectId,
  signalToken: _signalToken,
  stale: _stale,
  status: _status,
  updatedAt: _updatedAt,
  ...fields
}: Monitor): object => ({ ...config, ...fields })

/** Hides the secrets of a type; an address stays readable, without its password. */
export const withoutSecrets = (fields: Schema.JsonObject, secrets: ReadonlyArray<string>): Schema.JsonObject =>
  hidden(
    fields,
    secrets.filter((field) => !/^https?:\/\//i.test(String(fields[field])))
  )

/** The secrets of unknown types: all fields that are not common to all monitors. */
const common = new Set<string>([
  "key",
  "name",
  "type",
  "interval",
  "timeout",
  "regions",
  "paused",
  "pausedReason",
  "wantedInterval",
  "retryInterval",
  "wantedRetryInterval",
  "tags",
  "group",
  "description",
  "links",
  "dependsOn"
] satisfies ReadonlyArray<keyof Monitor>)

/** Fields of all monitors stay as they are: descriptions and links lead people, and no request. */
const concealed = (fields: Schema.JsonObject): Schema.JsonObject =>
  Object.fromEntries(
    Object.entries(withoutPaths(fields)).map(([field, value]) => [field, common.has(field) ? fields[field]! : value])
  )

/** The change for the audit log. Before and after are fields, or a whole monitor. */
export const changeOf = (
  action: AuditedChange["action"],
  { id, name, projectId, type }: Pick<Monitor, "id" | "name" | "type"> & { readonly projectId: ProjectId },
  change: { readonly before?: object | undefined; readonly after?: object | undefined }
): Effect.Effect<AuditedChange> =>
  Effect.map(ConfigSecrets, (secretsOf) => ({
    action,
    projectId,
    target: { id, name },
    ...change,
    conceal: (fields) =>
      concealed(
        withoutSecrets(fields, secretsOf("check", type) ?? Object.keys(fields).filter((field) => !common.has(field)))
      )
  }))
