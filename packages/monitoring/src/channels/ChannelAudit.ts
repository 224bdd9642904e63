/** Notification channels in the audit log: the fields that users set, without secrets. */
import { hidden, withoutPaths } from "@kanmon/core/Masking"
import { Effect } from "effect"
import type { AuditedChange } from "@kanmon/identity/audit"
import { ConfigSecrets } from "@kanmon/platform/ConfigSecrets"
import type { StoredChannel } from "./ChannelRecords.ts"

const prefix = "config."

/** The fields that users set, with those of the configuration by their paths. */
const fieldsOf = ({ config, disabledReason, key, name, quietHours, type }: StoredChannel): object => ({
  key,
  name,
  type,
  quietHours,
  disabledReason,
  ...Object.fromEntries(Object.entries(config).map(([field, value]) => [`${prefix}${field}`, value]))
})

/** The change for the audit log. Everything of a configuration counts as secret when its plugin is unknown. */
export const changeOf = (
  action: AuditedChange["action"],
  before: StoredChannel | undefined,
  after: StoredChannel | undefined
): Effect.Effect<ReadonlyArray<AuditedChange>> =>
  Effect.map(ConfigSecrets, (secretsOf) => {
    const channel = after ?? before
    if (channel === undefined) return []
    const { id, name, projectId } = channel
    const secrets = [before, after].flatMap((one) =>
      one === undefined ? [] : (secretsOf("channel", one.type) ?? Object.keys(one.config))
    )
    return [
      {
        action,
        projectId,
        target: { id, name },
        before: before === undefined ? undefined : fieldsOf(before),
        after: after === undefined ? undefined : fieldsOf(after),
        conceal: (fields) =>
          withoutPaths(
            hidden(
              fields,
              secrets.map((field) => `${prefix}${field}`)
            )
          )
      }
    ]
  })
