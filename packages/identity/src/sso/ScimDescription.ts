/** The service description of SCIM: its features and attributes (RFC 7643, sections 5 to 7). */
import { type Fields, groupSchema, userSchema } from "@kanmon/domain/Scim"

/** The most resources of one page. */
export const maxPage = 200

interface Attribute {
  readonly name: string
  readonly type?: "string" | "boolean" | "reference" | "complex"
  readonly many?: true
  readonly required?: true
  readonly caseExact?: true
  readonly readOnly?: true
  readonly unique?: true
  readonly parts?: ReadonlyArray<Attribute>
}

const described = ({
  caseExact,
  many,
  name,
  parts,
  readOnly,
  required,
  type = "string",
  unique
}: Attribute): Fields => ({
  name,
  type,
  multiValued: many === true,
  description: "",
  required: required === true,
  ...(type === "string" ? { caseExact: caseExact === true } : {}),
  mutability: readOnly === true ? "readOnly" : "readWrite",
  returned: "default",
  uniqueness: unique === true ? "server" : "none",
  ...(type === "reference" ? { referenceTypes: ["User", "Group"] } : {}),
  ...(parts === undefined ? {} : { subAttributes: parts.map(described) })
})

const reference = (readOnly: true | undefined): ReadonlyArray<Attribute> => [
  { name: "value", ...(readOnly === undefined ? {} : { readOnly }) },
  { name: "display", readOnly: true },
  { name: "$ref", type: "reference", readOnly: true }
]

const user: ReadonlyArray<Attribute> = [
  { name: "userName", required: true, unique: true },
  { name: "externalId", caseExact: true, unique: true },
  { name: "displayName" },
  { name: "name", type: "complex", parts: [{ name: "formatted" }, { name: "givenName" }, { name: "familyName" }] },
  {
    name: "emails",
    type: "complex",
    many: true,
    parts: [{ name: "value" }, { name: "type" }, { name: "primary", type: "boolean" }]
  },
  { name: "active", type: "boolean" },
  { name: "groups", type: "complex", many: true, readOnly: true, parts: reference(true) }
]

const group: ReadonlyArray<Attribute> = [
  { name: "displayName", required: true, unique: true },
  { name: "externalId", caseExact: true, unique: true },
  { name: "members", type: "complex", many: true, parts: [...reference(undefined), { name: "type", readOnly: true }] }
]

const metaSchema = "urn:ietf:params:scim:schemas:core:2.0:"

export const schemas = (base: string): ReadonlyArray<Fields> =>
  (
    [
      [userSchema, "User", "A person of the organization", user],
      [groupSchema, "Group", "A group of such people", group]
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: [`${metaSchema}Schema`],
    id,
    name,
    description,
    attributes: attributes.map(described),
    meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` }
  }))

export const resourceTypes = (base: string): ReadonlyArray<Fields> =>
  (
    [
      ["User", userSchema],
      ["Group", groupSchema]
    ] as const
  ).map(([name, schema]) => ({
    schemas: [`${metaSchema}ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` }
  }))

export const configuration = (base: string): Fields => ({
  schemas: [`${metaSchema}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Token for provisioning",
      description: "An owner of the organization creates it in the settings of single sign-on",
      primary: true
    }
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` }
})
