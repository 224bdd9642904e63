/** A monitor's configuration in two columns: the write-only fields of its type are stored encrypted. */
import type { MonitorId } from "@kanmon/domain/Ids"
import { MonitorConfig } from "@kanmon/domain/Monitor"
import { Schema } from "effect"
import type { Secrets } from "./Secrets.ts"

// Without a version: the fields are the plugin's, which reads what its own older versions stored.
const decodeFields = Schema.decodeUnknownSync(Schema.fromJsonString(MonitorConfig))

export interface SealedConfig {
  /** The fields that are not write-only. */
  readonly config: MonitorConfig
  /** The others as JSON, encrypted; null without any. */
  readonly encryptedConfig: string | null
}

/** Bound to the monitor and to this purpose: the token of its signals is encrypted for the same record. */
const owner = (id: MonitorId): string => `${id}/config`

/** Separates and encrypts the write-only fields. */
export const seal = (
  secrets: Secrets["Service"],
  id: MonitorId,
  config: MonitorConfig,
  writeOnly: ReadonlyArray<string>
): SealedConfig => {
  const fields = Object.entries(config)
  const secret = fields.filter(([name]) => writeOnly.includes(name))
  if (secret.length === 0) return { config, encryptedConfig: null }
  return {
    config: Object.fromEntries(fields.filter(([name]) => !writeOnly.includes(name))),
    encryptedConfig: secrets.encrypt(JSON.stringify(Object.fromEntries(secret)), owner(id))
  }
}

/** The whole configuration. Throws when the secret was encrypted under another key. */
export const open = (
  secrets: Secrets["Service"],
  id: MonitorId,
  { config, encryptedConfig }: SealedConfig
): MonitorConfig =>
  encryptedConfig === null ? config : { ...config, ...decodeFields(secrets.decrypt(encryptedConfig, owner(id))) }
