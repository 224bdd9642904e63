/** Projects and their API keys. Keys are looked up by hash and kept encrypted, so that the project can show its own. */
import { nextProjectId, ProjectId, type StatusPageId, type UserId } from "@kanmon/domain/Ids"
import type { Project } from "@kanmon/domain/Project"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { insertDefaultRule } from "../alerts/AlertRules.ts"
import { OutboxSignal } from "../outbox/OutboxSignal.ts"
import { pageEvent } from "../pages/PageEvents.ts"
import { hashApiKey, newApiKey, Secrets } from "../database/Secrets.ts"

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", {
  id: ProjectId
}) {}

export class Projects extends Context.Service<
  Projects,
  {
    /** The projects of an account, newest first. */
    readonly ofUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Project>>
    readonly get: (id: ProjectId) => Effect.Effect<Project, ProjectNotFound>
    /** The account that owns the project; undefined when there is no such project. */
    readonly ownerOf: (id: ProjectId) => Effect.Effect<UserId | undefined>
    /** Whether the account owns the project. */
    readonly isOwner: (userId: UserId, id: ProjectId) => Effect.Effect<boolean>
    readonly create: (userId: UserId, name: string) => Effect.Effect<Project>
    readonly rename: (id: ProjectId, name: string) => Effect.Effect<Project, ProjectNotFound>
    /** Makes a new key; the old one stops at once. */
    readonly rotateKey: (id: ProjectId) => Effect.Effect<Project, ProjectNotFound>
    /** Removes the project and everything of it; its monitors leave every probe. */
    readonly remove: (id: ProjectId) => Effect.Effect<void, ProjectNotFound>
  }
>()("@kanmon/store/accounts/Projects") {
  static readonly layer = Layer.effect(
    Projects,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const signal = yield* OutboxSignal
      const random = yield* SecureRandom.SecureRandom

      const read = (row: Row): Project => ({
        id: row.id,
        name: row.name,
        apiKey: secrets.decrypt(row.api_key_encrypted, row.id),
        createdAt: row.created_at.getTime(),
        updatedAt: row.updated_at.getTime()
      })

      const only = (id: ProjectId, rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
        Effect.flatMap(Effect.orDie(rows), ([row]) =>
          row === undefined ? Effect.fail(new ProjectNotFound({ id })) : Effect.sync(() => read(row))
        )

      const now = Effect.map(Clock.currentTimeMillis, (at) => new Date(at))

      const ofUser = Effect.fn("Projects.ofUser")((userId: UserId) =>
        sql<Row>`SELECT * FROM projects WHERE user_id = ${userId} ORDER BY id DESC`.pipe(
          Effect.map((rows) => rows.map(read)),
          Effect.orDie
        )
      )

      const get = Effect.fn("Projects.get")((id: ProjectId) =>
        only(id, sql<Row>`SELECT * FROM projects WHERE id = ${id}`)
      )

      const ownerOf = Effect.fn("Projects.ownerOf")((id: ProjectId) =>
        sql<{ user_id: UserId }>`SELECT user_id FROM projects WHERE id = ${id}`.pipe(
          Effect.map(([row]) => row?.user_id),
          Effect.orDie
        )
      )

      const isOwner = Effect.fn("Projects.isOwner")((userId: UserId, id: ProjectId) =>
        sql`SELECT 1 FROM projects WHERE id = ${id} AND user_id = ${userId}`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )
      )

      const create = Effect.fn("Projects.create")((userId: UserId, name: string) =>
        sql
          .withTransaction(insertProject(userId, name))
          .pipe(
            Effect.map(read),
            Effect.orDie,
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.provideService(Secrets, secrets),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
      )

      const rename = Effect.fn("Projects.rename")(function* (id: ProjectId, name: string) {
        const at = yield* now
        return yield* only(
          id,
          sql<Row>`UPDATE projects SET name = ${name}, updated_at = ${at} WHERE id = ${id} RETURNING *`
        )
      })

      const rotateKey = Effect.fn("Projects.rotateKey")(function* (id: ProjectId) {
        const key = newApiKey()
        const at = yield* now
        return yield* only(
          id,
          sql<Row>`UPDATE projects
            SET api_key_hash = ${hashApiKey(key)}, api_key_encrypted = ${secrets.encrypt(key, id)}, updated_at = ${at}
            WHERE id = ${id} RETURNING *`
        )
      })

      /** Whoever shows the project's pages hears that they are gone. */
      const announcePages = Effect.fnUntraced(function* (projectId: ProjectId, at: Date) {
        const pages = yield* sql<{ id: StatusPageId; slug: string; custom_domain: string | null }>`
          SELECT id, slug, custom_domain FROM status_pages WHERE project_id = ${projectId}`
        const events = pages.map(({ custom_domain, id, slug }) =>
          pageEvent({ id, projectId, slug, customDomain: custom_domain }, "deleted", at.getTime(), `${id}:deleted`)
        )
        yield* sql`INSERT INTO outbox (kind, event, created_at)
          SELECT 'event', event, ${at} FROM json_array_elements(${JSON.stringify(events)}::json) AS event`
      })

      const remove = Effect.fn("Projects.remove")(function* (id: ProjectId) {
        const at = yield* now
        const removed = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              // What is being judged first, in the order of those who judge.
              yield* sql`SELECT 1 FROM monitor_states s JOIN monitors m ON m.id = s.monitor_id
                WHERE m.project_id = ${id} ORDER BY m.id FOR UPDATE OF s`
              // Then the project: a monitor created at the same time waits, and then finds no project.
              const project = yield* sql`SELECT 1 FROM projects WHERE id = ${id} FOR UPDATE`
              if (project.length === 0) return false
              yield* sql`INSERT INTO outbox (kind, monitor_id, created_at)
                SELECT 'spec', id, ${at} FROM monitors WHERE project_id = ${id}`
              yield* announcePages(id, at)
              yield* sql`DELETE FROM observations WHERE monitor_id IN (SELECT id FROM monitors WHERE project_id = ${id})`
              yield* sql`DELETE FROM projects WHERE id = ${id}`
              return true
            })
          )
          .pipe(Effect.orDie)
        if (!removed) return yield* new ProjectNotFound({ id })
        yield* signal.raise
      })

      return Projects.of({ ofUser, get, ownerOf, isOwner, create, rename, rotateKey, remove })
    })
  )
}

interface Row {
  readonly id: ProjectId
  readonly name: string
  readonly api_key_encrypted: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** Inserts a project with a new key and its first alert rule, within a transaction; also run inside the transaction that creates an account. */
export const insertProject = Effect.fnUntraced(function* (userId: UserId | string, name: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const id = yield* nextProjectId
  const key = newApiKey()
  const at = new Date(yield* Clock.currentTimeMillis)
  const [row] =
    yield* sql<Row>`INSERT INTO projects (id, user_id, name, api_key_hash, api_key_encrypted, created_at, updated_at)
    VALUES (${id}, ${userId}, ${name}, ${hashApiKey(key)}, ${secrets.encrypt(key, id)}, ${at}, ${at}) RETURNING *`
  yield* insertDefaultRule(id)
  return row!
})
