/** Public status pages: their monitors, groups and names. */
import { Effect, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { bound, filteredText } from "./BoundedText.ts"
import { MonitorId, ProjectId, StatusPageId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { line } from "./Line.ts"
import { Name } from "./Monitor.ts"
import { Tags } from "./Tag.ts"
import { Timestamp } from "./Timestamp.ts"

/** Names that Kanmon uses itself, or that visitors could mistake for an official page. */
const reservedSlugs: ReadonlySet<string> = new Set(
  `about account accounts admin admins api app apps assets auth autoconfig autodiscover billing blog cdn cname community
  contact dashboard demo dev developers docs email events feed feeds forum ftp health help heartbeat host id imap info
  internal kanmon legal login logout mail metrics mx news ns ns1 ns2 oauth page pages pop pop3 postmaster press pricing
  privacy project projects public root security session shop sign-in sign-up signin signup smtp sso staging static stats
  status statuspage store subscribe support sysadmin system team terms test tls user users webmail webhook webhooks wiki
  wpad www`.split(/\s+/)
)

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

const noSlug = "Expected 2 to 63 lower-case letters, digits and hyphens, with no hyphen at either end"
const noDomain =
  "Expected a full domain name such as status.example.org: lower case, without scheme, port or trailing dot"

/** The page's name on the pages' domain: one DNS label (RFC 1123). */
export const Slug = filteredText(
  63,
  (slug) => {
    if (slug.length < 2 || !label.test(slug)) return noSlug
    // Browsers decode such a label as punycode.
    if (slug.slice(2, 4) === "--") return "Expected no hyphens in both the third and fourth place"
    return reservedSlugs.has(slug) ? "This name is reserved; choose another one" : undefined
  },
  { message: noSlug }
)

/** A page's custom domain: a full name in ASCII form, not an IP address. */
export const CustomDomain = filteredText(
  253,
  (domain) => {
    const labels = domain.split(".")
    const fits =
      labels.length >= 2 &&
      labels.every((part) => part.length <= 63 && label.test(part)) &&
      !/^\d+$/.test(labels.at(-1)!)
    return fits ? undefined : noDomain
  },
  { message: noDomain }
)

const noOrigin =
  "Expected an origin such as https://portal.example.org: scheme, host and perhaps a port, without path; http only for this machine"

const isLoopback = (host: string): boolean => host === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** The origin as browsers compare it; undefined where the text is none that may frame a page. */
const originOf = (text: string): string | undefined => {
  // The parser would mend slashes, and drop line breaks and tabs.
  const url = /^https?:\/\/[^\s/\\?#@]+\/?$/iu.test(text) ? URL.parse(text) : null
  // Wildcards and delimiters of a policy's list are not part of a host name.
  if (url === null || !/^[a-z0-9_.-]+$/.test(url.hostname)) return undefined
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) return undefined
  return url.origin
}

/** The origin of a site that may show a page in a frame, in the form in which browsers compare it. */
export const EmbedOrigin = Schema.String.check(bound(300, noOrigin)).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transformEffect({
      decode: (text: string, options) => {
        const origin = originOf(text)
        return origin === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: noOrigin }, text, options))
          : Effect.succeed(origin)
      },
      encode: (origin: string): Effect.Effect<string> => Effect.succeed(origin)
    })
  )
)

/** Sites that may show a page. */
export const maxEmbedOrigins = 20

/** The heading under which a page shows a monitor. */
export const DisplayGroup = line(100)

/** A monitor on a page. */
export const PageMonitor = Schema.Struct({
  monitorId: MonitorId,
  /** Null: without a heading. */
  displayGroup: Schema.NullOr(DisplayGroup)
})
export type PageMonitor = typeof PageMonitor.Type

/** Setup progress of the custom domain: first its DNS record, then its certificate. */
export const CustomDomainStatus = Schema.Literals(["none", "pending_dns", "provisioning", "active", "failed"])
export type CustomDomainStatus = typeof CustomDomainStatus.Type

/** A DNS record that the owner of a custom domain has to create. */
export const CustomDomainRecord = Schema.Struct({
  /** `ALIAS` stands for the DNS provider's equivalent of a CNAME at the apex, or for plain address records. */
  type: Schema.Literals(["CNAME", "ALIAS", "TXT"]),
  /** The full name, without a trailing dot. */
  name: Schema.String,
  value: Schema.String,
  /** The purpose of the record, as a sentence. */
  purpose: Schema.String
})
export type CustomDomainRecord = typeof CustomDomainRecord.Type

export const StatusPage = Schema.Struct({
  id: StatusPageId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  /** Not checked against reserved names: a name reserved later does not take the page away. */
  slug: Schema.String,
  /** The monitors of the page, in order. */
  monitorIds: Schema.Array(MonitorId),
  monitors: Schema.Array(PageMonitor),
  /** The page also shows the monitors that carry any of them, after the others and by name. */
  tags: Tags,
  /** Origins of the sites that may show the page's compact form in a frame. */
  embedOrigins: Schema.Array(Schema.String),
  customDomain: Schema.NullOr(Schema.String),
  customDomainStatus: CustomDomainStatus,
  /** Why the custom domain does not work, as a sentence; null when it does. */
  customDomainError: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type StatusPage = typeof StatusPage.Type
