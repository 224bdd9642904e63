/** Examples of provisioning for the OpenAPI document. */
import { groupSchema, listSchema, patchSchema, userSchema } from "@kanmon/domain/Scim"

const base = "https://kanmon.example/api/v1/scim/v2"

export const secret = "kms_n3Vw0yJq7mT1pXc5LkZ8sRd2HbGfYe6uAoQi9tWxCvM"

export const token = {
  id: "scim_01m7xs8mrbmd3ef5jxd1fat24r",
  name: "Okta",
  expiresAt: null,
  lastUsedAt: "2026-11-20T08:30:00.000Z",
  createdBy: { kind: "person" as const, id: "usr_01m7xr0ab1s6d8g3jp9yf5c2te", name: "ada@example.com" },
  createdAt: "2026-11-20T08:30:00.000Z"
}

const userId = "usr_01m7xr0ab1s6d8g3jp9yf5c2tf"
const groupId = "grp_01m7xr0ab1s6d8g3jp9yf5c2tg"

const times = {
  created: "2026-11-20T08:30:00.000Z",
  lastModified: "2026-11-20T08:30:00.000Z",
  version: 'W/"mh8k2a3c"'
}

export const userRequest = {
  schemas: [userSchema],
  userName: "ben@example.com",
  externalId: "00u1a2b3c4",
  name: { givenName: "Ben", familyName: "Okafor" },
  emails: [{ value: "ben@example.com", type: "work", primary: true }],
  active: true
}

export const user = {
  ...userRequest,
  id: userId,
  groups: [{ value: groupId, display: "sre" }],
  meta: { resourceType: "User", ...times, location: `${base}/Users/${userId}` }
}

export const groupRequest = { schemas: [groupSchema], displayName: "sre", members: [{ value: userId }] }

export const group = {
  ...groupRequest,
  id: groupId,
  members: [{ value: userId, display: "ben@example.com", type: "User" }],
  meta: { resourceType: "Group", ...times, location: `${base}/Groups/${groupId}` }
}

export const list = <A>(resource: A) => ({
  schemas: [listSchema],
  totalResults: 1,
  startIndex: 1,
  itemsPerPage: 1,
  Resources: [resource]
})

export const patch = {
  schemas: [patchSchema],
  Operations: [{ op: "replace", path: "active", value: false }]
}
