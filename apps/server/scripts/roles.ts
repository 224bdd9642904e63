/** The reference of roles: what each may do, and who may call each operation, from the declaration in `Role.ts` and the contract. */
import { includes, KeyRole, minimumOrganizationRole, minimumRole, Role, roles } from "@kanmon/domain/Role"
import type { Audience } from "@kanmon/domain/Audience"

/** What the page reads of the OpenAPI document. */
interface Contract {
  readonly paths: Readonly<Record<string, object>>
}

interface Operation {
  readonly summary?: string
  readonly tags?: ReadonlyArray<string>
  readonly "x-role"?: string
  readonly "x-role-of"?: string
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

const matrix = (permissions: Readonly<Record<string, Role>>): ReadonlyArray<string> => [
  `| permission | ${roles.join(" | ")} |`,
  `|---|${roles.map(() => "---|").join("")}`,
  ...Object.entries(permissions).map(
    ([permission, needed]) =>
      `| \`${permission}\` | ${roles.map((role) => (includes(role, needed) ? "yes" : "")).join(" | ")} |`
  )
]

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
        `| \`${verb.toUpperCase()} ${path}\` | ${(operation.summary ?? "").replaceAll("|", "\\|")} | \`${caller}\` | ${where} |`
      ])
    }
  }
  return [...byTag].flatMap(([tag, rows]) => [
    "",
    `### ${tag}`,
    "",
    "| operation | summary | at least | in the |",
    "|---|---|---|---|",
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
    ...matrix(minimumRole),
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
    "The lowest role that may call each operation, in the project or in the organization, or the caller it is for.",
    ...operations(contract),
    ""
  ].join("\n")
