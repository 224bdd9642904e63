/** The tables `monitors` and `monitor_dependencies`. Settings of monitors by people and plans are written only here. */
import { MonitorId, type ProjectId } from "@kanmon/domain/Ids"
import type { Monitor } from "@kanmon/domain/Monitor"
import type { FitChange } from "@kanmon/domain/PlanFit"
import { searchText, sortKey, targetOf } from "@kanmon/domain/SearchText"
import { type EpochMillis, toIso } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databaseDies } from "@kanmon/platform/database/Database"
import { keyTakenAsAnswer } from "@kanmon/platform/database/KeyTaken"
import * as Rows from "@kanmon/platform/database/Rows"
import * as SealedConfig from "@kanmon/platform/database/SealedConfig"
import { Secrets } from "@kanmon/platform/database/Secrets"

/** A monitor that is about to be inserted. */
export interface NewMonitor {
  readonly monitor: Monitor
  /** Fields of its configuration to store encrypted. */
  readonly writeOnly: ReadonlyArray<string>
}

/** The registered domain of a monitor, as it was read from a revision of its settings. */
export interface ReadDomain {
  readonly id: MonitorId
  readonly revision: number
  readonly domain: string | null
}

export class MonitorRecordRepository extends Context.Service<MonitorRecordRepository>()(
  "@kanmon/monitoring/registry/MonitorRecordRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets

      const rowOf = ({ monitor, writeOnly }: NewMonitor) => {
        const { config, encryptedConfig } = SealedConfig.seal(secrets, monitor.id, monitor.config, writeOnly)
        return {
          id: monitor.id,
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
          passive: monitor.signalToken !== null,
          tags: monitor.tags,
          group_path: monitor.group,
          description: monitor.description,
          links: monitor.links,
          name_folded: sortKey(monitor.name),
          search: searchTextOf(monitor),
          created_at: toIso(monitor.createdAt)
        }
      }

      /** Inserts all of these monitors or none, without what they depend on. */
      const insert = Effect.fn("MonitorRecordRepository.insert")(
        function* (monitors: ReadonlyArray<NewMonitor>) {
          yield* sql`INSERT INTO monitors
                (id, project_id, key, name, type, interval_seconds, retry_interval, timeout_seconds, regions, paused,
                  config, config_encrypted, passive, tags, group_path, description, links, name_folded, search,
                  created_at, updated_at, spec_changed_at)
              SELECT id, project_id, key, name, type, interval_seconds, retry_interval, timeout_seconds, regions, paused,
                config, config_encrypted, passive, tags, group_path, description, links, name_folded, search,
                created_at, created_at, created_at
              FROM json_to_recordset(${JSON.stringify(monitors.map(rowOf))}::json) AS g (
                id text, project_id text, key text, name text, type text, interval_seconds integer,
                retry_interval integer, timeout_seconds double precision, regions text[], paused boolean, config jsonb,
                config_encrypted text, passive boolean, tags text[], group_path text, description text, links jsonb,
                name_folded text, search text, created_at timestamptz)`
        },
        (effect) => databaseDies(keyTakenAsAnswer(effect))
      )

      /**
       * Writes everything that users and plans decide about a monitor. Without `respecified` its spec keeps its revision and
       * date, so that probes do not notice.
       */
      const update = Effect.fn("MonitorRecordRepository.update")(
        function* (monitor: Monitor, writeOnly: ReadonlyArray<string>, respecified: boolean) {
          const { config, encryptedConfig } = SealedConfig.seal(secrets, monitor.id, monitor.config, writeOnly)
          const at = new Date(monitor.updatedAt)
          yield* sql`UPDATE monitors SET key = ${monitor.key}, name = ${monitor.name}, type = ${monitor.type},
            interval_seconds = ${monitor.interval}, retry_interval = ${monitor.retryInterval},
            wanted_interval = ${monitor.wantedInterval}, wanted_retry_interval = ${monitor.wantedRetryInterval}, timeout_seconds = ${monitor.timeout},
            regions = ${monitor.regions}::text[], paused = ${monitor.paused},
            paused_by_plan = ${monitor.pausedReason !== null}, config = ${JSON.stringify(config)}::jsonb,
            config_encrypted = ${encryptedConfig},
            tags = ${monitor.tags}::text[], group_path = ${monitor.group}, description = ${monitor.description},
            links = ${JSON.stringify(monitor.links)}::jsonb, name_folded = ${sortKey(monitor.name)},
            search = ${searchTextOf(monitor)}, updated_at = ${at}, revision = revision + ${respecified ? 1 : 0},
            spec_changed_at = ${respecified ? sql`${at}` : sql`COALESCE(spec_changed_at, updated_at)`}
            WHERE id = ${monitor.id}`
        },
        (effect) => databaseDies(keyTakenAsAnswer(effect))
      )

      /** Replaces what a monitor depends on. */
      const replaceDependencies = Effect.fn("MonitorRecordRepository.replaceDependencies")(function* (
        id: MonitorId,
        dependsOn: ReadonlyArray<MonitorId>
      ) {
        yield* sql`DELETE FROM monitor_dependencies WHERE monitor_id = ${id}`
        if (dependsOn.length === 0) return
        yield* sql`INSERT INTO monitor_dependencies (monitor_id, depends_on, position)
          SELECT ${id}, parent, place FROM unnest(${dependsOn}::text[]) WITH ORDINALITY AS listed (parent, place)`
      }, Effect.orDie)

      /** The dependencies of each monitor of the project that has any. */
      const dependencies = Effect.fn("MonitorRecordRepository.dependencies")(function* (projectId: ProjectId) {
        const rows = yield* decodeDependencies(sql`SELECT d.monitor_id AS id,
              array_agg(d.depends_on ORDER BY d.position) AS "dependsOn"
            FROM monitor_dependencies d JOIN monitors m ON m.id = d.monitor_id
            WHERE m.project_id = ${projectId} GROUP BY d.monitor_id`)
        return new Map(rows.map(({ dependsOn, id }) => [id, dependsOn]))
      })

      /** The ids that exist in the project, locked against deletion until the transaction ends. */
      const lockExisting = Effect.fn("MonitorRecordRepository.lockExisting")(function* (
        projectId: ProjectId,
        ids: ReadonlyArray<MonitorId>
      ) {
        if (ids.length === 0) return new Set()
        const rows = yield* decodeIds(sql`SELECT id FROM monitors
            WHERE project_id = ${projectId} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`)
        return new Set(rows.map(({ id }) => id))
      })

      /** Writes what a plan changes about monitors. */
      const fit = Effect.fn("MonitorRecordRepository.fit")(function* (
        changes: ReadonlyArray<FitChange>,
        at: EpochMillis
      ) {
        yield* sql`UPDATE monitors m SET paused = v.paused, paused_by_plan = v."pausedByPlan",
            interval_seconds = v.interval, wanted_interval = v."wantedInterval",
            retry_interval = v."retryInterval", wanted_retry_interval = v."wantedRetryInterval", revision = m.revision + 1,
            updated_at = ${new Date(at)}, spec_changed_at = ${new Date(at)}
          FROM json_to_recordset(${JSON.stringify(changes)}::json)
            AS v(id text, paused boolean, "pausedByPlan" boolean, interval integer, "wantedInterval" integer,
              "retryInterval" integer, "wantedRetryInterval" integer)
          WHERE m.id = v.id`
      }, Effect.orDie)

      /** Writes the registered domains that were read from the settings of monitors. */
      const setDomains = Effect.fn("MonitorRecordRepository.setDomains")(function* (
        monitors: ReadonlyArray<ReadDomain>
      ) {
        yield* sql`UPDATE monitors m SET domain = v.domain, domain_revision = v.revision
          FROM json_to_recordset(${JSON.stringify(monitors)}::json) AS v(id text, revision integer, domain text)
          WHERE m.id = v.id`
      }, Effect.orDie)

      /** Deletes monitors, and with them what refers to them by a foreign key. */
      const remove = Effect.fn("MonitorRecordRepository.remove")(function* (ids: ReadonlyArray<MonitorId>) {
        yield* sql`DELETE FROM monitors WHERE id = ANY(${ids}::text[])`
      }, Effect.orDie)

      return {
        insert,
        update,
        fit,
        setDomains,
        replaceDependencies,
        dependencies,
        lockExisting,
        remove
      }
    })
  }
) {
  static readonly layer = Layer.effect(MonitorRecordRepository, MonitorRecordRepository.make)
}

/** The searched text of a monitor. */
const searchTextOf = ({ config, name, tags }: Monitor): string => searchText({ name, tags, target: targetOf(config) })

const decodeDependencies = Rows.all(Schema.Struct({ id: MonitorId, dependsOn: Schema.Array(MonitorId) }))
const decodeIds = Rows.all(Schema.Struct({ id: MonitorId }))
