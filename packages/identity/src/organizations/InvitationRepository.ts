/** Invitations in the database. The token is found by its hash; the token itself is only in the mail. */
import { InvitationId, OrganizationId, UserId } from "@kanmon/domain/Ids"
import type { Invitation } from "@kanmon/domain/Organization"
import { give } from "@kanmon/domain/Membership"
import { Role, roles } from "@kanmon/domain/Role"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "@kanmon/platform/database/Rows"

const InvitationRow = Schema.Struct({
  id: InvitationId,
  organizationId: OrganizationId,
  organizationName: Schema.String,
  email: Schema.String,
  role: Role,
  inviterId: UserId,
  inviterName: Schema.String,
  createdAt: Rows.Time,
  sentAt: Rows.Time,
  expiresAt: Rows.Time
})

/** An invitation with the organization that it is to. */
export interface StoredInvitation extends Invitation {
  readonly organizationId: OrganizationId
  readonly organizationName: string
}

export class InvitationRepository extends Context.Service<InvitationRepository>()(
  "@kanmon/identity/organizations/InvitationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.asVoid(Effect.orDie(statement))
      const all = sql`SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.email, i.role,
          i.invited_by AS "inviterId", u.name AS "inviterName", i.created_at AS "createdAt", i.sent_at AS "sentAt",
          i.expires_at AS "expiresAt"
        FROM invitations i JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.id = i.invited_by`
      const first = (statement: Parameters<ReturnType<typeof Rows.first<typeof InvitationRow>>>[0]) =>
        Effect.map(Rows.first(InvitationRow)(statement), (row) => row && read(row))

      return {
        /** Newest first. */
        list: Effect.fn("InvitationRepository.list")((id: OrganizationId) =>
          Effect.map(Rows.all(InvitationRow)(sql`${all} WHERE i.organization_id = ${id} ORDER BY i.id DESC`), (rows) =>
            rows.map(read)
          )
        ),
        find: Effect.fn("InvitationRepository.find")((id: OrganizationId, invitationId: InvitationId) =>
          first(sql`${all} WHERE i.organization_id = ${id} AND i.id = ${invitationId}`)
        ),
        /** By the hash of its token, unless it has expired. */
        findByToken: Effect.fn("InvitationRepository.findByToken")((tokenHash: string, at: EpochMillis) =>
          first(sql`${all} WHERE i.token_hash = ${tokenHash} AND i.expires_at > ${new Date(at)}`)
        ),
        /** By a normalized address, unless it has expired. */
        findByAddress: Effect.fn("InvitationRepository.findByAddress")(
          (id: OrganizationId, email: string, at: EpochMillis) =>
            first(sql`${all} WHERE i.organization_id = ${id} AND lower(i.email) = ${email}
            AND i.expires_at > ${new Date(at)}`)
        ),
        /** Whether the address is invited, and the invitation has not expired. */
        hasAddress: (id: OrganizationId, email: string, at: EpochMillis) =>
          Rows.any(sql`SELECT 1 FROM invitations WHERE organization_id = ${id} AND lower(email) = ${email}
            AND expires_at > ${new Date(at)}`),
        /** Open invitations, and those of them that will count against the plan. */
        count: (id: OrganizationId, at: EpochMillis) =>
          counts(sql`SELECT count(*) AS open, count(*) FILTER (WHERE role <> 'viewer') AS paid FROM invitations
            WHERE organization_id = ${id} AND expires_at > ${new Date(at)}`),
        /** Inserts an invitation in place of an expired one to the same address. */
        insert: Effect.fn("InvitationRepository.insert")(function* ({
          at,
          email,
          expiresAt,
          id,
          ...invitation
        }: {
          readonly id: InvitationId
          readonly organizationId: OrganizationId
          readonly email: string
          readonly role: Role
          readonly tokenHash: string
          readonly invitedBy: UserId
          readonly at: EpochMillis
          readonly expiresAt: EpochMillis
        }) {
          const { invitedBy, organizationId, role, tokenHash } = invitation
          yield* sql`DELETE FROM invitations WHERE organization_id = ${organizationId} AND lower(email) = ${email}
            AND expires_at <= ${new Date(at)}`
          yield* sql`INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by, created_at, sent_at,
              expires_at)
            VALUES (${id}, ${organizationId}, ${email}, ${role}, ${tokenHash}, ${invitedBy}, ${new Date(at)},
              ${new Date(at)}, ${new Date(expiresAt)})`
        }, Effect.orDie),
        /** Replaces the token. */
        renew: (invitationId: InvitationId, tokenHash: string, at: EpochMillis, expiresAt: EpochMillis) =>
          run(sql`UPDATE invitations SET token_hash = ${tokenHash}, sent_at = ${new Date(at)},
            expires_at = ${new Date(expiresAt)} WHERE id = ${invitationId}`),
        /** Deletes the invitation. Only one of several concurrent callers gets true. */
        remove: (invitationId: InvitationId) =>
          Rows.any(sql`DELETE FROM invitations WHERE id = ${invitationId} RETURNING id`),
        /** Deletes the invitations of an account that a member with this role could not send; all of them without a role. */
        removeBy: (id: OrganizationId, invitedBy: UserId, role: Role | undefined) => {
          const kept = role === undefined ? [] : roles.filter((one) => give(role, one) === undefined)
          return run(sql`DELETE FROM invitations WHERE organization_id = ${id} AND invited_by = ${invitedBy}
            AND role <> ALL(${kept}::text[])`)
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(InvitationRepository, InvitationRepository.make)
}

const counts = Rows.one(Schema.Struct({ open: Rows.Count, paid: Rows.Count }))

const read = ({ inviterId, inviterName, ...row }: typeof InvitationRow.Type): StoredInvitation => ({
  ...row,
  invitedBy: { userId: inviterId, name: inviterName }
})
