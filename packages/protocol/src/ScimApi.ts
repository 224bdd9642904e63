/**
 * Provisioning by SCIM 2.0 (RFC 7643, RFC 7644): the endpoints for an organization's identity provider, which
 * authenticates with a provisioning token.
 */
import { boundedText, filledText } from "@kanmon/domain/BoundedText"
import {
  errorSchema,
  groupSchema,
  listSchema,
  patchSchema,
  scimMediaType,
  scimTypes,
  ScimUser,
  userSchema
} from "@kanmon/domain/Scim"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BoundedBody, Problems, Provisioning } from "./Middleware.ts"
import { refuses } from "./Problem.ts"
import { operation, type Operation } from "./internal/Operation.ts"
import * as Examples from "./internal/ScimExamples.ts"

/** Where SCIM is, below the API's address. */
export const scimPath = "/scim/v2"

const scim = <S extends Schema.Top>(schema: S) => HttpApiSchema.asJson({ contentType: scimMediaType })(schema)
const sent = <S extends Schema.Top>(schema: S) => [scim(schema), HttpApiSchema.asJson()(schema)] as const

/** A list of one text. A tuple would be an array without `items` in the document, which its readers refuse. */
const only = <Text extends string>(text: Text) =>
  Schema.Array(Schema.Literal(text)).check(Schema.isMinLength(1), Schema.isMaxLength(1))

/** The body of an error. */
export const ScimError = Schema.Struct({
  schemas: only(errorSchema),
  status: Schema.String,
  scimType: Schema.optionalKey(Schema.Literals(scimTypes)),
  detail: Schema.String
}).annotate({ identifier: "ScimError", description: "An error of SCIM (RFC 7644, section 3.12)" })

const Meta = Schema.Struct({
  resourceType: Schema.String,
  created: Schema.String,
  lastModified: Schema.String,
  location: Schema.String,
  version: Schema.String
})

/** Which attributes there are depends on `attributes` and `excludedAttributes`. */
const User = Schema.Struct({
  schemas: Schema.Array(Schema.Literal(userSchema)),
  id: Schema.String,
  userName: Schema.optionalKey(ScimUser.fields.userName),
  externalId: ScimUser.fields.externalId,
  displayName: ScimUser.fields.displayName,
  name: ScimUser.fields.name,
  emails: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Json))),
  active: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether the person may come in. Without, the person is no member of the organization"
  }),
  groups: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Json))),
  meta: Schema.optionalKey(Meta)
}).annotate({ identifier: "ScimUser" })

const Group = Schema.Struct({
  schemas: Schema.Array(Schema.Literal(groupSchema)),
  id: Schema.String,
  displayName: Schema.optionalKey(Schema.String),
  externalId: Schema.optionalKey(Schema.String),
  members: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Json))),
  meta: Schema.optionalKey(Meta)
}).annotate({ identifier: "ScimGroup" })

const listOf = <S extends Schema.Top>(resource: S, identifier: string) =>
  Schema.Struct({
    schemas: only(listSchema),
    totalResults: Schema.Int,
    startIndex: Schema.Int,
    itemsPerPage: Schema.Int,
    Resources: Schema.Array(resource)
  }).annotate({ identifier })

const UserRequest = Schema.Struct({
  schemas: Schema.optionalKey(Schema.Array(boundedText(1024))),
  ...ScimUser.fields,
  active: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ScimUserRequest", description: "Further attributes are ignored" })

const GroupRequest = Schema.Struct({
  schemas: Schema.optionalKey(Schema.Array(boundedText(1024))),
  displayName: filledText(256),
  externalId: Schema.optionalKey(filledText(512)),
  members: Schema.optionalKey(Schema.Array(Schema.Struct({ value: filledText(1024) })))
}).annotate({ identifier: "ScimGroupRequest", description: "Further attributes are ignored" })

const PatchRequest = Schema.Struct({
  schemas: Schema.optionalKey(Schema.Array(Schema.Literal(patchSchema))),
  Operations: Schema.Array(
    Schema.Struct({
      op: filledText(20).annotate({ description: "`add`, `replace` or `remove`, in any case" }),
      path: Schema.optionalKey(boundedText(4096)),
      value: Schema.optionalKey(Schema.Json)
    })
  )
}).annotate({ identifier: "ScimPatchRequest" })

const described = Schema.JsonObject
const id = { id: boundedText(100) }

const text = (description: string) => Schema.optionalKey(boundedText(8192).annotate({ description }))
const shown = {
  attributes: text("Names of attributes, separated by commas: only these are shown"),
  excludedAttributes: text("Names of attributes, separated by commas: these are not shown, for example `members`")
}
const listQuery = {
  filter: text('For example `userName eq "ada@example.com"` (RFC 7644, section 3.4.2.2)'),
  startIndex: text("The first resource that is shown, from 1 on"),
  count: text("How many resources are shown: at most 200. Default: 100"),
  ...shown
}

const versioned = { ETag: "The version of the resource, for `If-Match`", Location: "Its address" }
const ifMatch = {
  "If-Match": Schema.optionalKey(boundedText(1024).annotate({ description: "The version that is changed" }))
}

const of = (described: Omit<Operation, "isScim">) => operation({ ...described, isScim: true })

export class ScimApi extends HttpApiGroup.make("scim")
  .add(
    HttpApiEndpoint.get("config", "/ServiceProviderConfig", { success: scim(described) }).annotateMerge(
      of({
        id: "getScimConfiguration",
        summary: "Get what SCIM supports",
        description: "Says which parts of the protocol there are."
      })
    ),
    HttpApiEndpoint.get("resourceTypes", "/ResourceTypes", { success: scim(described) }).annotateMerge(
      of({ id: "listScimResourceTypes", summary: "List SCIM resource types", description: "Lists User and Group." })
    ),
    HttpApiEndpoint.get("resourceType", "/ResourceTypes/:id", {
      params: id,
      success: scim(described),
      error: refuses("not_found")
    }).annotateMerge(
      of({ id: "getScimResourceType", summary: "Get a SCIM resource type", description: "Describes User or Group." })
    ),
    HttpApiEndpoint.get("schemas", "/Schemas", { success: scim(described) }).annotateMerge(
      of({ id: "listScimSchemas", summary: "List SCIM schemas", description: "Lists the attributes that are kept." })
    ),
    HttpApiEndpoint.get("schema", "/Schemas/:id", {
      params: id,
      success: scim(described),
      error: refuses("not_found")
    }).annotateMerge(
      of({ id: "getScimSchema", summary: "Get a SCIM schema", description: "Describes the attributes of one schema." })
    ),
    HttpApiEndpoint.get("users", "/Users", {
      query: listQuery,
      success: scim(listOf(User, "ScimUserList")),
      error: refuses("malformed_request")
    }).annotateMerge(
      of({
        id: "listScimUsers",
        summary: "List provisioned users",
        description:
          "Lists the people that the identity provider provisions to the organization. Other members are not listed.",
        response: Examples.list(Examples.user)
      })
    ),
    HttpApiEndpoint.post("createUser", "/Users", {
      payload: sent(UserRequest),
      success: scim(User).pipe(HttpApiSchema.status(201)),
      error: refuses("conflict")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "createScimUser",
          summary: "Create a provisioned user",
          description:
            "Makes a person a member: with the account that has the address, or a new one. The domain of the address has to be proven by the organization. The groups of the person give the role, by the mapping of single sign-on. 403 when the plan has no room for another member; 409 `uniqueness` when the user is there.",
          request: Examples.userRequest,
          response: Examples.user,
          headers: versioned
        })
      ),
    HttpApiEndpoint.get("user", "/Users/:id", {
      params: id,
      query: shown,
      success: scim(User),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      of({
        id: "getScimUser",
        summary: "Get a provisioned user",
        description: "Returns a person with the groups.",
        response: Examples.user,
        headers: versioned
      })
    ),
    HttpApiEndpoint.put("replaceUser", "/Users/:id", {
      params: id,
      headers: ifMatch,
      payload: sent(UserRequest),
      success: scim(User),
      error: refuses("not_found", "conflict", "precondition_failed")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "replaceScimUser",
          summary: "Change a whole provisioned user",
          description:
            "Replaces the attributes. `active: false` ends the membership and open streams within a second; 409 for the last owner.",
          request: Examples.userRequest,
          response: Examples.user,
          headers: versioned
        })
      ),
    HttpApiEndpoint.patch("patchUser", "/Users/:id", {
      params: id,
      headers: ifMatch,
      payload: sent(PatchRequest),
      success: scim(User),
      error: refuses("not_found", "conflict", "precondition_failed")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "patchScimUser",
          summary: "Update a provisioned user",
          description:
            "Applies operations (RFC 7644, section 3.5.2). `active: false` ends the membership and open streams within a second; 409 for the last owner.",
          request: Examples.patch,
          response: Examples.user,
          headers: versioned
        })
      ),
    HttpApiEndpoint.delete("deleteUser", "/Users/:id", {
      params: id,
      headers: ifMatch,
      success: HttpApiSchema.NoContent,
      error: refuses("not_found", "conflict", "precondition_failed")
    }).annotateMerge(
      of({
        id: "deleteScimUser",
        summary: "Delete a provisioned user",
        description:
          "Ends the membership and forgets the person. The account stays, for other organizations that it is in."
      })
    ),
    HttpApiEndpoint.get("groups", "/Groups", {
      query: listQuery,
      success: scim(listOf(Group, "ScimGroupList")),
      error: refuses("malformed_request")
    }).annotateMerge(
      of({
        id: "listScimGroups",
        summary: "List provisioned groups",
        description: "Lists the groups of the organization that the identity provider provisions.",
        response: Examples.list(Examples.group)
      })
    ),
    HttpApiEndpoint.post("createGroup", "/Groups", {
      payload: sent(GroupRequest),
      success: scim(Group).pipe(HttpApiSchema.status(201)),
      error: refuses("conflict")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "createScimGroup",
          summary: "Create a provisioned group",
          description: "Creates a group. Its name gives the members a role, by the mapping of single sign-on.",
          request: Examples.groupRequest,
          response: Examples.group,
          headers: versioned
        })
      ),
    HttpApiEndpoint.get("group", "/Groups/:id", {
      params: id,
      query: shown,
      success: scim(Group),
      error: refuses("malformed_request", "not_found")
    }).annotateMerge(
      of({
        id: "getScimGroup",
        summary: "Get a provisioned group",
        description: "Returns a group with its members.",
        response: Examples.group,
        headers: versioned
      })
    ),
    HttpApiEndpoint.put("replaceGroup", "/Groups/:id", {
      params: id,
      headers: ifMatch,
      payload: sent(GroupRequest),
      success: scim(Group),
      error: refuses("not_found", "conflict", "precondition_failed")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "replaceScimGroup",
          summary: "Change a whole provisioned group",
          description: "Replaces the name and the members; roles follow. 409 when the last owner would lose the role.",
          request: Examples.groupRequest,
          response: Examples.group,
          headers: versioned
        })
      ),
    HttpApiEndpoint.patch("patchGroup", "/Groups/:id", {
      params: id,
      headers: ifMatch,
      payload: sent(PatchRequest),
      success: scim(Group),
      error: refuses("not_found", "conflict", "precondition_failed")
    })
      .middleware(BoundedBody)
      .annotateMerge(
        of({
          id: "patchScimGroup",
          summary: "Update a provisioned group",
          description:
            "Adds, replaces or removes members and the name; roles follow. 409 when the last owner would lose the role.",
          request: {
            schemas: [patchSchema],
            Operations: [{ op: "add", path: "members", value: [{ value: Examples.user.id }] }]
          },
          response: Examples.group,
          headers: versioned
        })
      ),
    HttpApiEndpoint.delete("deleteGroup", "/Groups/:id", {
      params: id,
      headers: ifMatch,
      success: HttpApiSchema.NoContent,
      error: refuses("not_found", "conflict", "precondition_failed")
    }).annotateMerge(
      of({
        id: "deleteScimGroup",
        summary: "Delete a provisioned group",
        description: "Deletes the group; its members lose the role that it gave."
      })
    ),
    // Clients look for them, and are told that they are not supported. They are not described.
    HttpApiEndpoint.post("bulk", "/Bulk").annotate(OpenApi.Exclude, true),
    HttpApiEndpoint.get("me", "/Me").annotate(OpenApi.Exclude, true)
  )
  .middleware(Provisioning)
  .middleware(Problems)
  .prefix(scimPath)
  .annotateMerge(
    OpenApi.annotations({
      title: "SCIM",
      description:
        "Provisioning by SCIM 2.0 for an organization's identity provider, with a token for provisioning. Errors are those of SCIM."
    })
  ) {}
