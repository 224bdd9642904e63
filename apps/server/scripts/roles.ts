/**
 * The reference of roles: the permissions of each role and the operations it may call, from the declaration in
 * `Role.ts` and the contract.
 */
import { includes, KeyRole, minimumOrganizationRole, minimumRole, Role, roles } from "@kanmon/domain/Role"
import type { Audience } from "@kanmon/domain/Audience"
import { isOfAccount, projectPermissionOf } from "@kanmon/protocol/Access"
import { Contract as Endpoints } from "@kanmon/protocol/Api"
import { HttpApi } from "effect/http-api"

/** The used part of the OpenAPI document. */
interface Contract {
  readonly paths: Readonly<Record<string, object>>
}

interface Operation {
  readonly summary?: string
  readonly tags?: ReadonlyArray<string>
  readonly "x-role"?: string
  readonly "x-role-of"?: string
  readonly security?: ReadonlyArray<object>
}

const audienceInWords: Readonly<Record<Audience, string>> = {
  public: "everybody, without a credential",
  caller: "any API key and any session",
  account: "any session",
  administrator: "the session of an administrator of the installation",
  identityProvider: "a token for provisioning, of an organization's identity provider"
}

const verbs = new Set(["get", "post", "put", "patch", "delete"])

/** `Role` describes each role as "`name` does this", separated by semicolons. */
const roleRows = (): ReadonlyArray<string> => {
  const described = new Map(
    String(Role.ast.annotations?.["description"] ?? "")
      .split("; ")
      .map((part) => [/^`(\w+)`/.exec(part)?.[1], part.replace(/^`\w+` /, "")] as const)
  )
  return roles.map((role) => {
    const text = described.get(role)
    if (text === undefined) throw new Error(`The description of Role does not say what \`${role}\` does`)
    return `| \`${role}\` | ${text} | ${KeyRole.literals.some((key) => key === role) ? "yes" : ""} |`
  })
}

const matrix = (
  permissions: Readonly<Record<string, Role>>,
  columns: Readonly<Record<string, ReadonlySet<string>>> = {}
): ReadonlyArray<string> => [
  `| permission | ${[...roles, ...Object.keys(columns)].join(" | ")} |`,
  `|---|${[...roles, ...Object.keys(columns)].map(() => "---|").join("")}`,
  ...Object.entries(permissions).map(([permission, needed]) => {
    const further = Object.values(columns).map((those) => those.has(permission))
    const cells = [...roles.map((role) => includes(role, needed)), ...further].map((is) => (is ? "yes" : ""))
    return `| \`${permission}\` | ${cells.join(" | ")} |`
  })
]

/** The permissions that API keys can have. Permissions of session-only operations are excluded. */
const ofKeys = (): ReadonlySet<string> => {
  const found = new Set<string>(Object.keys(minimumRole))
  HttpApi.reflect(Endpoints, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const permission = projectPermissionOf(endpoint)
      if (permission !== undefined && isOfAccount(endpoint)) found.delete(permission)
    }
  })
  return found
}

const credentialNames: Readonly<Record<string, string>> = {
  apiKey: "key",
  session: "session",
  token: "session",
  scimToken: "token for provisioning"
}

/** The credentials that an operation accepts; a test checks the server for them. */
const credentials = ({ security = [] }: Operation): string => {
  const names = security.map((one) => credentialNames[Object.keys(one)[0] ?? ""] ?? "nothing")
  return [...new Set(names)].join(", ")
}

const operations = (contract: Contract): ReadonlyArray<string> => {
  const byTag = new Map<string, Array<string>>()
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const [verb, value] of Object.entries(item)) {
      if (!verbs.has(verb)) continue
      const operation = value as Operation
      const caller = operation["x-role"]
      if (caller === undefined) continue
      const isRole = roles.some((role) => role === caller)
      const where = isRole ? (operation["x-role-of"] ?? "project") : ""
      const tag = operation.tags?.[0] ?? "other"
      byTag.set(tag, [
        ...(byTag.get(tag) ?? []),
        `| \`${verb.toUpperCase()} ${path}\` | ${(operation.summary ?? "").replaceAll("|", "\\|")} | \`${caller}\` | ${where} | ${credentials(operation)} |`
      ])
    }
  }
  return [...byTag].flatMap(([tag, rows]) => [
    "",
    `### ${tag}`,
    "",
    "| operation | summary | at least | in the | with |",
    "|---|---|---|---|---|",
    ...rows
  ])
}

/** The page, in Markdown. */
export const rolesPage = (notice: string, contract: Contract): string =>
  [
    notice,
    "# Roles",
    "",
    "Each role includes the roles above it. A role in the organization counts in all its projects, and may be raised for one project.",
    "How to give roles: [organizations, roles and keys](../guide/access.md).",
    "",
    "| role | what it does | for API keys |",
    "|---|---|---|",
    ...roleRows(),
    "",
    "## Permissions in a project",
    "",
    "`API keys`: whether a key with a sufficient role may do it. Only people manage members.",
    "",
    ...matrix(minimumRole, { "API keys": ofKeys() }),
    "",
    "## Permissions in an organization",
    "",
    "Only sessions use these; an API key belongs to one project.",
    "",
    ...matrix(minimumOrganizationRole),
    "",
    "## Outside of projects and organizations",
    "",
    "| caller | who |",
    "|---|---|",
    ...Object.entries(audienceInWords).map(([audience, who]) => `| \`${audience}\` | ${who} |`),
    "",
    "## Operations",
    "",
    "The lowest role that may call each operation, in the project or in the organization, or the caller it is for, and the credentials that it accepts.",
    ...operations(contract),
    ""
  ].join("\n")
