/** New monitors in the database: many with one statement, with their tokens, states and the beginning of their histories. */
import { fresh } from "@kanmon/domain/Heartbeat"
import type { MonitorId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import { sortKey } from "@kanmon/domain/SearchText"
import { initial } from "@kanmon/domain/StatusEvaluation"
import { toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storedState } from "../evaluation/index.ts"
import { storedHeartbeat } from "../heartbeats/index.ts"
import { databaseDies } from "@kanmon/platform/database/Database"
import { type KeyTaken, keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import { hashToken, Secrets } from "@kanmon/platform/database/Secrets"
import { searchTextOf } from "./MonitorRow.ts"

/** A monitor that is about to be inserted. */
export interface NewMonitor {
  readonly monitor: Monitor
  /** Fields of its configuration to store encrypted. */
  readonly writeOnly: ReadonlyArray<string>
}

export class NewMonitorRepository extends Context.Service<
  NewMonitorRepository,
  {
    /** Inserts all of these monitors or none, without what they depend on. */
    readonly insert: (monitors: ReadonlyArray<NewMonitor>) => Effect.Effect<void, KeyTaken>
  }
>()("@kanmon/monitoring/monitors/NewMonitorRepository") {
  static readonly layer = Layer.effect(
    NewMonitorRepository,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const rowOf = ({ monitor, writeOnly }: NewMonitor) => {
        const { createdAt, id, signalToken } = monitor
        const { config, encryptedConfig } = SealedConfig.seal(secrets, id, monitor.config, writeOnly)
        const status = monitor.paused ? ("paused" as const) : ("pending" as const)
        return {
          id,
          project_id: monitor.projectId,
          key: monitor.key,
          name: monitor.name,
          type: monitor.type,
          interval_seconds: monitor.interval,
          retry_interval: monitor.retryInterval,
          timeout_seconds: monitor.timeout,
          regions: monitor.regions,
          paused: monitor.paused,
          config,
          config_encrypted: encryptedConfig,
          tags: monitor.tags,
          group_path: monitor.group,
          description: monitor.description,
          links: monitor.links,
          name_folded: sortKey(monitor.name),
          search: searchTextOf(monitor),
          created_at: toIso(createdAt),
          status,
          state: storedState.encode(initial(createdAt, status)),
          ...(signalToken === null ? {} : tokenOf(id, signalToken))
        }
      }

      const tokenOf = (id: MonitorId, signalToken: string) => ({
        token_hash: hashToken(signalToken),
        token_encrypted: secrets.encrypt(signalToken, id),
        heartbeat: storedHeartbeat.encode(fresh)
      })

      const insert: NewMonitorRepository["Service"]["insert"] = Effect.fn("NewMonitorRepository.insert")(
        function* (monitors) {
          yield* sql`WITH given AS (SELECT * FROM json_to_recordset(${JSON.stringify(monitors.map(rowOf))}::json) AS g (
                id text, project_id text, key text, name text, type text, interval_seconds integer,
                retry_interval integer, timeout_seconds double precision, regions text[], paused boolean, config jsonb,
                config_encrypted text, tags text[], group_path text, description text, links jsonb, name_folded text,
                search text, created_at timestamptz, status text, state jsonb, token_hash text, token_encrypted text,
                heartbeat jsonb)),
              inserted AS (INSERT INTO monitors
                  (id, project_id, key, name, type, interval_seconds, retry_interval, timeout_seconds, regions, paused,
                    config, config_encrypted, passive, tags, group_path, description, links, name_folded, search,
                    created_at, updated_at, spec_changed_at)
                SELECT id, project_id, key, name, type, interval_seconds, retry_interval, timeout_seconds, regions,
                  paused, config, config_encrypted, token_hash IS NOT NULL, tags, group_path, description, links,
                  name_folded, search, created_at, created_at, created_at FROM given),
              tokens AS (INSERT INTO heartbeats (monitor_id, token_hash, token_encrypted, state)
                SELECT id, token_hash, token_encrypted, heartbeat FROM given WHERE token_hash IS NOT NULL),
              states AS (INSERT INTO monitor_states (monitor_id, status, state, look_at)
                SELECT id, status, state, CASE WHEN paused THEN NULL ELSE created_at END FROM given)
            INSERT INTO status_changes (monitor_id, at, status) SELECT id, created_at, status FROM given`
        },
        (effect) => databaseDies(keyTakenAsAnswer(effect))
      )

      return NewMonitorRepository.of({ insert })
    })
  )
}
