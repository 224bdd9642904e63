/** Rows of the specs of monitors, decoded. */
import { createHash } from "node:crypto"
import { MonitorId, OrganizationId, ProjectId } from "@kanmon/domain/Ids"
import { MonitorConfig, type MonitorSpec, Retry } from "@kanmon/domain/Monitor"
import { Schema } from "effect"
import * as Rows from "@kanmon/platform/database/Rows"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import type { Secrets } from "@kanmon/platform/database/Secrets"

/** A spec and its regions; empty means all. */
export interface PlacedSpec {
  readonly spec: MonitorSpec
  readonly regions: ReadonlyArray<string>
}

export const SpecRow = Schema.Struct({
  id: MonitorId,
  projectId: ProjectId,
  type: Schema.String,
  interval: Schema.Number,
  timeout: Schema.Number,
  regions: Schema.Array(Schema.String),
  config: MonitorConfig,
  encryptedConfig: Schema.NullOr(Schema.String),
  updatedAt: Rows.Time,
  revision: Schema.Int,
  owner: OrganizationId,
  retry: Schema.NullOr(Retry)
})

export const readSpec =
  (secrets: Secrets["Service"]) =>
  ({ encryptedConfig, owner, regions, retry, updatedAt, ...row }: typeof SpecRow.Type): PlacedSpec => ({
    spec: {
      ...row,
      config: SealedConfig.open(secrets, row.id, { config: row.config, encryptedConfig }),
      ...(retry === null ? {} : { retry }),
      account: accountKey(owner),
      changedAt: updatedAt
    },
    regions
  })

/**
 * Groups the monitors of an organization. Irreversible, because an organization's id has 80 random bits. Hashed as the account
 * that owned them before there were organizations, so that specs from then, which stay on the bus, are of the same group.
 */
const accountKey = (owner: OrganizationId): string =>
  createHash("sha256").update(owner.replace(/^org_/, "usr_")).digest("base64url").slice(0, 16)
