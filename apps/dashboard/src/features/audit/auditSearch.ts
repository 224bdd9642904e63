/** The address of the audit log. It contains the filters, so that it can be shared. */
export const scopes = ["project", "organization", "account"] as const
type Scope = (typeof scopes)[number]

/** The kinds of records that the log can be filtered by. */
export const kinds = [
  "monitor",
  "channel",
  "alert_rule",
  "alert",
  "drill",
  "integration",
  "operation",
  "silence",
  "incident",
  "maintenance",
  "status_page",
  "project",
  "api_key",
  "organization",
  "member",
  "invitation",
  "team",
  "sso",
  "account",
  "subscription"
] as const
export type Kind = (typeof kinds)[number]

export interface AuditSearch {
  /** The project, when it is left out. */
  readonly scope?: Exclude<Scope, "project"> | undefined
  readonly kind?: Kind | undefined
  /** The id of an account or a key, or a kind of actor. */
  readonly by?: string | undefined
}

export const parseAuditSearch = ({ by, kind, scope }: Record<string, unknown>): AuditSearch => ({
  scope: scope === "account" || scope === "organization" ? scope : undefined,
  kind: kinds.find((each) => each === kind),
  by: typeof by === "string" && by !== "" ? by : undefined
})
