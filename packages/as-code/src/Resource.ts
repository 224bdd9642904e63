/** The resources in files: records of a project, and schedules and policies of its organization, each with a key. */
import type { Channel } from "@kanmon/core/Channel"
import type { Check } from "@kanmon/core/Check"
import type { Schema } from "effect"

/** The kinds of the loaded plugins. */
export interface Kinds {
  readonly checks: ReadonlyMap<string, Check>
  readonly channels: ReadonlyMap<string, Channel>
}

export type Kind = "channel" | "monitor" | "maintenance" | "schedule" | "policy" | "rule" | "integration" | "page"

/** In the order of creation: resources precede those that refer to them. */
export const kinds: ReadonlyArray<Kind> = [
  "channel",
  "monitor",
  "maintenance",
  "schedule",
  "policy",
  "rule",
  "integration",
  "page"
]

/**
 * The kinds that belong to the organization. Files of several projects share them, so each is looked at only where the files
 * have its section.
 */
export const organizationKinds: ReadonlySet<Kind> = new Set(["schedule", "policy"])

/** Something for each kind. */
export const byKind = <A>(of: (kind: Kind) => A): Readonly<Record<Kind, A>> => ({
  channel: of("channel"),
  monitor: of("monitor"),
  maintenance: of("maintenance"),
  schedule: of("schedule"),
  policy: of("policy"),
  rule: of("rule"),
  integration: of("integration"),
  page: of("page")
})

/** The sections of a file. */
export const sections = {
  monitors: "monitor",
  channels: "channel",
  rules: "rule",
  integrations: "integration",
  pages: "page",
  maintenance: "maintenance",
  schedules: "schedule",
  policies: "policy"
} as const
export type Section = keyof typeof sections

/** The section of the entries of each kind. */
export const sectionOf: Readonly<Record<Kind, Section>> = {
  monitor: "monitors",
  channel: "channels",
  rule: "rules",
  integration: "integrations",
  page: "pages",
  maintenance: "maintenance",
  schedule: "schedules",
  policy: "policies"
}

/**
 * Fields in their comparable form: those of a channel's configuration as `config.chatId`. References are keys; in the
 * server's state, ids of records without a key.
 */
export type Fields = Readonly<Record<string, Schema.Json>>

/** A resource of a file, with all defaults. */
export interface Wanted {
  readonly kind: Kind
  readonly key: string
  readonly fields: Fields
  /** Fields that the API masks in responses: the server compares them. */
  readonly masked: ReadonlySet<string>
  /** Fields that are not printed, including masked ones. */
  readonly secret: ReadonlySet<string>
  /** Fields with a URL, of which user, password and query are not printed, because they may be secret. */
  readonly addresses: ReadonlySet<string>
  /** Fields of which null is a value: a change removes them by name. */
  readonly lasting: ReadonlySet<string>
}

/** A resource on the server. */
export interface Current {
  readonly kind: Kind
  readonly key: string
  readonly id: string
  /** When it was changed last, as the server says. */
  readonly updatedAt?: string
  readonly fields: Fields
  /** Masked fields that differ from the wanted ones, as the server reports. */
  readonly differing: ReadonlySet<string>
  /** Fields with values that the caller may not read, as the server reports: nothing is known of a difference. */
  readonly hidden: ReadonlySet<string>
  /** Fields that must not be changed now: a monitor that was paused by its plan is not resumed. */
  readonly overruled: ReadonlySet<string>
  /** A maintenance window that is over: it stays as history when its entry is removed or names another time. */
  readonly over?: boolean
}

const optional = new Set([
  "tags",
  "group",
  "description",
  "links",
  "dependsOn",
  "retryInterval",
  "embedOrigins",
  "escalationPolicy",
  "coverage",
  "acknowledgeTimeoutMinutes",
  "onExhausted",
  "mapping",
  "resolveAfterMinutes",
  "quietAfterMinutes"
])

/** Omits empty fields that older servers do not know. */
export const filled = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => !optional.has(field) || !(value === null || (Array.isArray(value) && value.length === 0))
    )
  )

/** The name of a resource in messages. */
export const nameOf = ({ key, kind }: { readonly kind: Kind; readonly key: string }): string => `${kind} ${key}`

/** Records by their names in messages. */
export const byName = <A extends { readonly kind: Kind; readonly key: string }>(
  records: ReadonlyArray<A>
): ReadonlyMap<string, A> => new Map(records.map((one) => [nameOf(one), one]))
