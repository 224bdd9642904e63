/** Which monitors a list has, and in which order: the parts of its statements. None of them reads observations. */
import type { ProjectId } from "@kanmon/domain/Ids"
import { type MonitorSort, readSort, type SortField, statusOrder } from "@kanmon/domain/MonitorSort"
import { fold } from "@kanmon/domain/SearchText"
import type { MonitorStatus } from "@kanmon/domain/Status"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import type { SqlClient, Statement } from "effect/sql"
import { shownStatus } from "../evaluation/index.ts"
import type { Position } from "@kanmon/platform/database/Cursor"
import type { KeyedPageOptions } from "@kanmon/platform/database/Page"

/** Which monitors to select. */
export interface MonitorCriteria {
  readonly status?: MonitorStatus | undefined
  readonly type?: string | undefined
  /** The monitor carries all of them. */
  readonly tag?: ReadonlyArray<string> | undefined
  /** The monitor's group, or one above it. */
  readonly group?: string | undefined
  /** Part of the name, the target or a tag, without regard to case and accents. */
  readonly q?: string | undefined
}

/** Which monitors of a project to list. */
export interface MonitorFilter extends KeyedPageOptions, MonitorCriteria {
  /** Newest first unless given. */
  readonly sort?: MonitorSort | undefined
  /** Where the page before ended, in a sorted list. */
  readonly after?: Position | undefined
}

/** The conditions on `monitors m` with their states `s`. */
export const conditions = (
  sql: SqlClient.SqlClient,
  projectId: ProjectId,
  { group, key, q, status, tag = [], type }: MonitorCriteria & { readonly key?: string | undefined },
  now: EpochMillis
): ReadonlyArray<Statement.Fragment> => [
  sql`m.project_id = ${projectId}`,
  ...(status === undefined ? [] : [sql`${shownStatus(sql, now)} = ${status}`]),
  ...(type === undefined ? [] : [sql`m.type = ${type}`]),
  ...(key === undefined ? [] : [sql`m.key = ${key}`]),
  ...(tag.length === 0 ? [] : [sql`m.tags @> ${tag}::text[]`]),
  ...(group === undefined ? [] : [sql`(m.group_path = ${group} OR starts_with(m.group_path, ${`${group}/`}))`]),
  ...(q === undefined ? [] : [sql`m.search LIKE ${`%${fold(q).replaceAll(/[%_\\]/g, "\\$&")}%`}`])
]

/** The sort key of each field, with `monitors m`, their states `s` and summaries `u`. Null without data. */
const sortedBy = (sql: SqlClient.SqlClient, now: EpochMillis): Readonly<Record<SortField, Statement.Fragment>> => ({
  name: sql`m.name_folded`,
  status: sql`array_position(${statusOrder}::text[], ${shownStatus(sql, now)})`,
  uptime: sql`u.uptime_24h`,
  responseTime: sql`u.response_time_24h`,
  lastChange: sql`(s.state->>'since')::double precision`
})

/** Ids and the values that they are sorted by; one more than the limit. Monitors without data come last either way. */
export const sortedPage = (
  sql: SqlClient.SqlClient,
  projectId: ProjectId,
  filter: MonitorFilter & { readonly sort: MonitorSort },
  now: EpochMillis
): Statement.Statement<unknown> => {
  const { after, limit, sort } = filter
  const { descending, field } = readSort(sort)
  const value = sortedBy(sql, now)[field]
  const direction = descending ? sql.literal("DESC") : sql.literal("ASC")
  const beyond = descending ? sql.literal("<") : sql.literal(">")
  const place =
    after === undefined
      ? []
      : after.value === null
        ? [sql`${value} IS NULL AND m.id ${beyond} ${after.id}`]
        : [
            sql`(${value} IS NULL OR (${value}, m.id) ${beyond}
              (${after.value}${typeof after.value === "number" ? sql`::double precision` : sql`::text COLLATE "C"`}, ${after.id}::text))`
          ]
  return sql`SELECT m.id, ${value} AS value FROM monitors m JOIN monitor_states s ON s.monitor_id = m.id
    LEFT JOIN monitor_summaries u ON u.monitor_id = m.id
    WHERE ${sql.and([...conditions(sql, projectId, filter, now), ...place])}
    ORDER BY ${value} ${direction} NULLS LAST, m.id ${direction} LIMIT ${limit + 1}`
}
