/**
 * Each table of the database has one owner: the feature that alone writes it. Others call the owner's `index.ts`, or implement a
 * port of it. Features that read or lock the table of another in SQL are listed, each with its reason.
 */

/** The tables of each feature, as `<floor>/<folder>`; those of the platform belong to no feature. */
export const owners: Readonly<Record<string, ReadonlyArray<string>>> = {
  platform: ["allowances", "idempotency_keys", "installation", "outbox", "running_processes"],
  "identity/accounts": ["failed_sign_ins", "sign_in_failures"],
  "identity/api-keys": ["api_keys"],
  "identity/audit": ["audit_log"],
  "identity/billing": ["checkouts", "payment_customers", "payment_events", "payment_turns", "plans", "subscriptions"],
  "identity/organizations": [
    "invitations",
    "organization_members",
    "organizations",
    "project_members",
    "team_members",
    "teams"
  ],
  "identity/projects": ["projects"],
  "identity/sso": [
    "scim_group_members",
    "scim_groups",
    "scim_tokens",
    "scim_users",
    "sign_on_assertions",
    "sign_on_domains",
    "sign_on_pending",
    "sign_on_settings",
    "sign_on_tests"
  ],
  "identity/users": ["accounts", "device_codes", "passkeys", "sessions", "two_factors", "users", "verifications"],
  "monitoring/alerts": ["alert_history", "alert_holds", "alert_rules", "alerts", "silences"],
  "monitoring/channels": ["channels", "confirmation_codes", "confirmed_recipients"],
  "monitoring/contact-methods": [
    "contact_method_codes",
    "contact_methods",
    "notification_rules",
    "personal_quiet_hours"
  ],
  "monitoring/custom-domains": ["acme_accounts", "acme_challenges", "certificate_orders", "custom_domains"],
  "monitoring/delivery": ["deliveries"],
  "monitoring/domain-registrations": ["domains"],
  "monitoring/escalation": ["alert_timeline", "escalation_pages", "escalation_policies", "escalations"],
  "monitoring/evaluation": [
    "captures",
    "monitor_states",
    "monitor_summaries",
    "observations",
    "project_summaries",
    "result_blocks",
    "rollup_day",
    "rollup_dirty",
    "rollup_hour",
    "rollup_progress",
    "staleness_watch",
    "status_changes",
    "timing_day",
    "timing_hour"
  ],
  "monitoring/heartbeats": ["heartbeat_signals", "heartbeat_watch", "heartbeats"],
  "monitoring/incidents": ["incident_updates", "incidents"],
  "monitoring/maintenance": ["maintenance_windows"],
  "monitoring/drills": ["drills"],
  "monitoring/integrations": ["inbound_bodies", "integrations"],
  "monitoring/on-call": ["away_periods", "calendar_tokens", "schedule_handoffs", "schedule_overrides", "schedules"],
  "monitoring/operations": ["operations"],
  "monitoring/page-tests": ["page_test_pages", "page_tests"],
  "monitoring/regions": ["probe_regions"],
  "monitoring/replies": ["page_replies", "reply_receipts"],
  "monitoring/registry": ["monitor_dependencies", "monitors"],
  "monitoring/status-pages": ["status_page_monitors", "status_pages"]
}

/** A repository, as `<floor>/<folder>/<file>` without `Repository.ts`, and the tables of others that it reads, or locks. */
export interface Join {
  readonly repository: string
  readonly reads: ReadonlyArray<string>
  /** Tables whose rows it locks, so that nothing changes them until its transaction ends. */
  readonly locks?: ReadonlyArray<string>
  readonly because: string
}

export const joins: ReadonlyArray<Join> = [
  {
    repository: "platform/database/SecretCheck",
    reads: ["users"],
    because: "a database with an account is not new, so its secret is not replaced"
  },
  {
    repository: "identity/accounts/AccountData",
    reads: [
      "audit_log",
      "organization_members",
      "organizations",
      "passkeys",
      "project_members",
      "projects",
      "sessions",
      "users"
    ],
    because: "a person's copy of their data takes one row of everything about the account"
  },
  {
    repository: "identity/accounts/FailedSignIn",
    reads: ["users"],
    because: "counts an attempt by the address that it named, in one statement with the look-up"
  },
  {
    repository: "identity/accounts/SignInFailure",
    reads: ["sessions", "users"],
    because: "the networks from which an account has sessions, with each attempt to sign in"
  },
  {
    repository: "identity/api-keys/ApiKey",
    reads: ["organizations", "projects"],
    locks: ["organizations", "projects"],
    because: "finds the project or the organization of a key, with each request"
  },
  {
    repository: "identity/audit/Audit",
    reads: ["organization_members", "projects"],
    because: "shows entries to those who may see their project or organization"
  },
  {
    repository: "identity/billing/Plan",
    reads: ["projects"],
    because: "the plan of a project is that of its organization"
  },
  {
    repository: "identity/billing/Subscription",
    reads: ["organization_members", "organizations"],
    because: "organizations of one founder share a free plan"
  },
  {
    repository: "identity/operator/Operator",
    reads: ["organization_members", "organizations", "projects", "sessions", "users"],
    because: "lists of people and organizations with how much they have, searched and paged"
  },
  { repository: "identity/organizations/Invitation", reads: ["users"], because: "shows the name of whoever invited" },
  {
    repository: "identity/organizations/Member",
    reads: ["projects", "sessions", "users"],
    because: "lists of members with their names and last sign-ins"
  },
  {
    repository: "identity/organizations/Organization",
    reads: ["projects"],
    because: "the number of projects against the limit, and the organization of a project"
  },
  { repository: "identity/organizations/Team", reads: ["users"], because: "lists of teams with their members" },
  {
    repository: "identity/projects/Project",
    reads: ["organization_members", "organizations", "project_members", "users"],
    because: "the role of an account in a project, with each request"
  },
  {
    repository: "identity/sso/Connection",
    reads: ["organizations"],
    because: "connections of organizations that are not disabled, with their names"
  },
  {
    repository: "identity/sso/MemberSync",
    reads: ["organization_members"],
    because: "the membership that a directory or identity provider has given"
  },
  {
    repository: "identity/sso/ScimToken",
    reads: ["organizations"],
    because: "the organization of a token, with each request of a directory"
  },
  {
    repository: "monitoring/alerts/Alert",
    reads: ["channels", "deliveries", "monitors", "projects"],
    because: "what decisions about alerts depend on, with each evaluation"
  },
  {
    repository: "monitoring/alerts/Coverage",
    reads: ["maintenance_windows", "monitors"],
    because: "maintenance and silences that keep alerts of a monitor back, as a part of other statements"
  },
  {
    repository: "monitoring/alerts/Handling",
    reads: ["escalations"],
    because: "how far the escalation of an alert is, with the alert"
  },
  {
    repository: "monitoring/alerts/Hold",
    reads: ["monitor_dependencies", "monitor_states", "monitors"],
    because: "the states of the monitors that others depend on, with each evaluation"
  },
  {
    repository: "monitoring/alerts/Link",
    reads: ["escalations", "monitors", "projects"],
    because: "what a link tells of, with the names of monitors and the time zone, and what an acknowledgement stops"
  },
  {
    repository: "monitoring/alerts/DrillAlert",
    reads: ["channels", "escalation_pages", "escalations", "projects"],
    because: "how the alerts of a drill stand and whom they told, with the name of the project in notices"
  },
  {
    repository: "monitoring/drills/Drill",
    reads: ["alert_rules", "alerts", "escalation_pages", "escalation_policies", "escalations", "monitors", "projects"],
    locks: ["projects"],
    because: "whether a drill goes on, the name of what it tries, and one creation in a project at a time"
  },
  {
    repository: "monitoring/alerts/ExternalAlert",
    reads: ["projects"],
    because: "the name of the project in notices, with each request of an integration"
  },
  {
    repository: "monitoring/alerts/OpenAlert",
    reads: ["channels", "deliveries"],
    because: "the channels that an open alert was told to, with each decision about it"
  },
  {
    repository: "monitoring/alerts/Rule",
    reads: ["escalation_policies", "integrations"],
    because:
      "the keys by which files name the policies of rules, and the integrations that keep a rule from being deleted"
  },
  {
    repository: "monitoring/integrations/Integration",
    reads: ["alert_rules", "alerts", "projects"],
    locks: ["projects"],
    because: "the rule of an integration and how many of its alerts are open, and one creation in a project at a time"
  },
  {
    repository: "monitoring/alerts/RulePreview",
    reads: ["channels", "monitors"],
    because: "what a rule would do for a monitor now, in one look"
  },
  {
    repository: "monitoring/channels/ChannelLease",
    reads: ["deliveries", "projects"],
    because: "leases channels that have something due, a fair share of each organization"
  },
  {
    repository: "monitoring/analytics/Analytics",
    reads: ["alerts", "escalation_pages", "escalations", "monitors", "users"],
    because: "counts alerts and pages of an organization by person and by monitor, with their names"
  },
  {
    repository: "monitoring/channels/Confirmation",
    reads: ["organization_members", "projects", "users"],
    because: "codes are counted by the account that owns a project"
  },
  {
    repository: "monitoring/contact-methods/ContactMethod",
    reads: ["users"],
    locks: ["users"],
    because:
      "the address of an account is one of its methods; those of one account are counted by one request at a time"
  },
  {
    repository: "monitoring/contact-methods/ContactMethodLease",
    reads: ["deliveries", "users"],
    because: "leases methods that have something due, with the address of the account"
  },
  {
    repository: "monitoring/contents/OrganizationContents",
    reads: [
      "alert_rules",
      "away_periods",
      "calendar_tokens",
      "channels",
      "contact_methods",
      "drills",
      "escalation_policies",
      "incidents",
      "integrations",
      "monitors",
      "notification_rules",
      "page_replies",
      "page_test_pages",
      "page_tests",
      "personal_quiet_hours",
      "projects",
      "schedule_overrides",
      "schedules",
      "silences",
      "status_pages"
    ],
    because: "counts and copies what projects contain, of every kind"
  },
  {
    repository: "monitoring/replies/Reply",
    reads: ["alerts", "deliveries", "escalation_pages", "escalations", "page_tests", "users"],
    because:
      "an answer is to a message and what it told of, and a call rings on only while one of those waits for an answer"
  },
  {
    repository: "monitoring/page-tests/PageTest",
    reads: ["users"],
    because: "the audit log names the person of a test by their address"
  },
  {
    repository: "monitoring/custom-domains/Certificate",
    reads: ["status_pages"],
    because: "certificates are served for domains that a page has"
  },
  {
    repository: "monitoring/custom-domains/CustomDomain",
    reads: ["projects", "status_pages"],
    because: "domains are known by the pages that have them"
  },
  {
    repository: "monitoring/delivery/Delivery",
    reads: ["contact_methods"],
    because: "the pace of texts and calls is that of a phone number, which several contact methods may have"
  },
  {
    repository: "monitoring/delivery/ReaderZone",
    reads: ["organization_members", "projects", "users"],
    because: "the time zone of those who read a message"
  },
  {
    repository: "monitoring/delivery/SentMessage",
    reads: ["channels", "contact_methods", "page_replies", "users"],
    because: "names the channel or the person that a message with a link was sent to, and how the person answered"
  },
  {
    repository: "monitoring/domain-registrations/DomainRegistration",
    reads: ["alerts", "monitor_states", "monitors"],
    locks: ["monitor_states"],
    because: "monitors whose domain expires or has an alert, locked in the order of evaluation"
  },
  {
    repository: "monitoring/escalation/Escalation",
    reads: ["alerts", "deliveries", "organization_members", "projects"],
    locks: ["alerts"],
    because: "the state of an alert in the transaction that claims a step of its escalation"
  },
  {
    repository: "monitoring/escalation/Policy",
    reads: ["alert_rules"],
    because: "the rules that have a policy, which cannot be deleted then"
  },
  {
    repository: "monitoring/escalation/Target",
    reads: ["channels", "contact_methods", "monitors", "projects", "schedules", "team_members", "teams", "users"],
    because: "whom the steps of a policy name when they run, and by what kind of message previews say so"
  },
  {
    repository: "monitoring/escalation/Timeline",
    reads: ["channels", "contact_methods", "users"],
    because: "the names of those whom pages were for"
  },
  {
    repository: "monitoring/evaluation/Evaluation",
    reads: ["monitors"],
    because: "settings and states of a batch of monitors, with each evaluation"
  },
  {
    repository: "monitoring/evaluation/History",
    reads: ["monitors"],
    because: "the last checks of a page of monitors"
  },
  {
    repository: "monitoring/evaluation/MonitorState",
    reads: ["monitors"],
    because: "locks the states of a project that is deleted"
  },
  { repository: "monitoring/evaluation/Rollup", reads: ["monitors"], because: "fills rollups monitor by monitor" },
  {
    repository: "monitoring/evaluation/StatusHistory",
    reads: ["maintenance_windows"],
    because: "the shown status of a list is maintenance while a window is open"
  },
  {
    repository: "monitoring/evaluation/Summary",
    reads: ["maintenance_windows", "monitors", "projects"],
    because: "sums what is known of the monitors of each project, and finds their last outages outside of maintenance"
  },
  {
    repository: "monitoring/evaluation/Timing",
    reads: ["monitors"],
    because: "fills rollups of timings for monitors that exist"
  },
  {
    repository: "monitoring/events/Credential",
    reads: ["api_keys", "organizations", "projects", "sessions"],
    because: "ends streams whose key, session or project is gone, all streams with one query"
  },
  {
    repository: "monitoring/heartbeats/Heartbeat",
    reads: ["monitors"],
    because: "the schedules of heartbeats, with each batch of signals"
  },
  {
    repository: "monitoring/heartbeats/Token",
    reads: ["monitors"],
    because: "replaces the token of a monitor of the project"
  },
  {
    repository: "monitoring/heartbeats/Unreadable",
    reads: ["monitors"],
    because: "names the monitors whose stored states cannot be read"
  },
  {
    repository: "monitoring/imports/ImportedKey",
    reads: ["alert_rules", "channels", "incidents", "monitors", "status_pages"],
    because: "which records of an import the project has already, in one query for all kinds"
  },
  {
    repository: "monitoring/incidents/Incident",
    reads: ["monitors"],
    because: "incidents about the monitors of a page, which follow tags"
  },
  {
    repository: "monitoring/logs/CheckLog",
    reads: ["captures", "monitor_states", "monitors"],
    because: "lists checks with their captures, paged"
  },
  {
    repository: "monitoring/logs/Outage",
    reads: ["alerts", "incidents", "monitors", "status_changes"],
    because: "lists outages with what happened in them, paged"
  },
  {
    repository: "monitoring/maintenance/MaintenanceWindow",
    reads: ["monitors"],
    because: "adds windows for those of the monitors that exist"
  },
  {
    repository: "monitoring/monitors/Duplicate",
    reads: ["monitors"],
    because: "finds monitors with the same target by an index"
  },
  {
    repository: "monitoring/monitors/Monitor",
    reads: ["heartbeats", "monitor_dependencies", "monitor_states", "monitors"],
    locks: ["monitor_states", "monitors"],
    because: "lists of monitors with their states, and their lock before a change"
  },
  {
    repository: "monitoring/monitors/MonitorFilter",
    reads: ["monitor_states", "monitor_summaries", "monitors"],
    because: "filters and sorts lists of monitors by status and uptime"
  },
  {
    repository: "monitoring/monitors/PlanFitting",
    reads: ["monitors", "projects"],
    because: "all monitors of an organization, to be fitted to its plan"
  },
  {
    repository: "monitoring/specs/Spec",
    reads: ["alert_rules", "monitors", "projects"],
    because: "specs for probes, with the retries that rules ask for"
  },
  {
    repository: "monitoring/on-call/People",
    reads: ["organization_members", "users"],
    because: "whether the people of a schedule can respond, with each reckoning, and their names in calendars"
  },
  {
    repository: "monitoring/overview/Overview",
    reads: ["alerts", "incidents", "maintenance_windows", "monitor_states", "monitor_summaries", "monitors"],
    because: "the state of a project in one request, never a query for each monitor"
  },
  {
    repository: "monitoring/overview/Past",
    reads: [
      "alerts",
      "incident_updates",
      "incidents",
      "maintenance_windows",
      "monitors",
      "rollup_hour",
      "status_changes"
    ],
    because: "a project as it was known at an instant, in few queries"
  },
  { repository: "monitoring/regions/ProbeRegion", reads: ["monitors"], because: "how many monitors a region has" },
  {
    repository: "monitoring/status-pages/PublicMonitor",
    reads: ["maintenance_windows", "monitor_states", "monitors", "rollup_hour", "status_changes"],
    because: "a public page with all its monitors, in few queries"
  },
  {
    repository: "monitoring/status-pages/StatusPage",
    reads: ["organizations", "projects"],
    because: "pages of organizations that are not disabled"
  }
]
