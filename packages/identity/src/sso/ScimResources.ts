/** Users and groups as SCIM shows them, what can be done with them, and the part of a list that a request asks for. */
import type { OrganizationId } from "@kanmon/domain/Ids"
import { type Fields, groupSchema, ScimRefused, userSchema } from "@kanmon/domain/Scim"
import { matches, type ScimFilter } from "@kanmon/domain/ScimFilter"
import { toIso } from "@kanmon/domain/Timestamp"
import { Effect } from "effect"
import type { StoredGroup } from "./ScimGroupRepository.ts"
import type { ProvisionedUser } from "./ScimUserRepository.ts"

/** The parameters of a list request. */
export interface ScimQuery {
  readonly filter: ScimFilter | undefined
  /** From 1 on. */
  readonly startIndex: number
  readonly count: number
}

/** One page of a list: how many there are in all, and those that were asked for. */
export interface ScimPage {
  readonly total: number
  readonly resources: ReadonlyArray<Fields>
}

/** Where a request came in, and which version it expects. */
export interface ScimPlace {
  readonly organizationId: OrganizationId
  /** The address of SCIM at this installation. */
  readonly base: string
  readonly ifMatch: string | undefined
}

/** The operations on users and on groups. */
export interface ScimCollection {
  /** `withMembers` is false if the request excludes the members of groups. */
  readonly list: (place: ScimPlace, query: ScimQuery, withMembers: boolean) => Effect.Effect<ScimPage>
  readonly get: (place: ScimPlace, id: string) => Effect.Effect<Fields, ScimRefused>
  readonly create: (place: ScimPlace, body: unknown) => Effect.Effect<Fields, ScimRefused>
  readonly replace: (place: ScimPlace, id: string, body: unknown) => Effect.Effect<Fields, ScimRefused>
  readonly patch: (place: ScimPlace, id: string, body: unknown) => Effect.Effect<Fields, ScimRefused>
  /** Ends a user's membership and forgets the person. The account itself stays, without access. */
  readonly remove: (place: ScimPlace, id: string) => Effect.Effect<void, ScimRefused>
}

/** The page of resources that fulfil a filter. */
export const pageOf = (resources: ReadonlyArray<Fields>, { count, filter, startIndex }: ScimQuery): ScimPage => {
  const found = filter === undefined ? resources : resources.filter((one) => matches(filter, one))
  return { total: found.length, resources: found.slice(startIndex - 1, startIndex - 1 + count) }
}

/** The version of a resource, as ETag and `meta.version` show it. */
const versionOf = ({ updatedAt }: { readonly updatedAt: number }): string => `W/"${updatedAt.toString(36)}"`

/** Refuses to change a resource that is not the version that the request names. */
export const checkVersion = (
  stored: { readonly updatedAt: number },
  expected: string | undefined
): Effect.Effect<void, ScimRefused> =>
  expected === undefined ||
  expected.trim() === "*" ||
  expected.split(",").some((one) => one.trim() === versionOf(stored))
    ? Effect.void
    : Effect.fail(
        new ScimRefused({ status: 412, detail: "The resource was changed since the version that If-Match names" })
      )

const meta = (
  resourceType: "User" | "Group",
  base: string,
  id: string,
  times: { readonly createdAt: number; readonly updatedAt: number }
) => ({
  resourceType,
  created: toIso(times.createdAt),
  lastModified: toIso(times.updatedAt),
  location: `${base}/${resourceType}s/${id}`,
  version: versionOf(times)
})

export interface GroupOfUser {
  readonly groupId: string
  readonly displayName: string
}

export const userResource = (base: string, user: ProvisionedUser, groups: ReadonlyArray<GroupOfUser>): Fields => ({
  schemas: [userSchema],
  id: user.userId,
  ...user.record,
  groups: groups.map(({ displayName, groupId }) => ({
    value: groupId,
    display: displayName,
    $ref: `${base}/Groups/${groupId}`
  })),
  meta: meta("User", base, user.userId, user)
})

export interface UserOfGroup {
  readonly userId: string
  readonly userName: string
}

/** Without `members`, they are not shown. */
export const groupResource = (
  base: string,
  group: StoredGroup,
  members: ReadonlyArray<UserOfGroup> | undefined
): Fields => ({
  schemas: [groupSchema],
  id: group.id,
  displayName: group.displayName,
  ...(group.externalId === null ? {} : { externalId: group.externalId }),
  ...(members === undefined
    ? {}
    : {
        members: members.map(({ userId, userName }) => ({
          value: userId,
          display: userName,
          type: "User",
          $ref: `${base}/Users/${userId}`
        }))
      }),
  meta: meta("Group", base, group.id, group)
})
