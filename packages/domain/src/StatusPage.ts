/** Public status pages: which monitors a page shows, in what groups, and under which names it is found. */
import { Schema } from "effect"
import { MonitorId, ProjectId, StatusPageId } from "./Ids.ts"
import { Key } from "./Key.ts"
import { Name } from "./Monitor.ts"
import { Timestamp } from "./Timestamp.ts"

/** Names that the product itself uses, or that people would take for ours. */
const reservedSlugs: ReadonlySet<string> = new Set(
  `about account accounts admin admins api app apps assets auth autoconfig autodiscover billing blog cdn cname community
  contact dashboard demo dev developers docs email events feed feeds forum ftp health help heartbeat host id imap info
  internal kanmon legal login logout mail metrics mx news ns ns1 ns2 oauth page pages pop pop3 postmaster press pricing
  privacy project projects public root security session shop sign-in sign-up signin signup smtp sso staging static stats
  status statuspage store subscribe support sysadmin system team terms test tls user users webmail webhook webhooks wiki
  wpad www`.split(/\s+/)
)

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** The page's name below the pages' domain: one DNS label (RFC 1123). */
export const Slug = Schema.String.check(
  Schema.makeFilter((slug: string) => {
    if (slug.length < 2 || slug.length > 63 || !label.test(slug))
      return "Expected 2 to 63 lower-case letters, digits and hyphens, with no hyphen at either end"
    // Browsers would show such a label as something else.
    if (slug.slice(2, 4) === "--") return "Expected no two hyphens in the third and fourth place"
    return reservedSlugs.has(slug) ? "This name is reserved; choose another one" : undefined
  })
)

/** A page's own domain: a full name in its ASCII form, never an address. */
export const CustomDomain = Schema.String.check(
  Schema.makeFilter((domain: string) => {
    const labels = domain.split(".")
    const fits =
      domain.length <= 253 &&
      labels.length >= 2 &&
      labels.every((part) => part.length <= 63 && label.test(part)) &&
      !/^\d+$/.test(labels.at(-1)!)
    return fits
      ? undefined
      : "Expected a full domain name such as status.example.org, in lower case, without scheme, port or dot at the end"
  })
)

/** Under which heading a monitor stands. */
export const DisplayGroup = Schema.String.check(
  Schema.isPattern(/^(?=.*\S)[^\p{Cc}]{1,100}$/u, {
    message: "Expected 1 to 100 characters, without control characters"
  })
)

/** A monitor as a page shows it. */
export const PageMonitor = Schema.Struct({
  monitorId: MonitorId,
  /** Null: under no heading. */
  displayGroup: Schema.NullOr(DisplayGroup)
})
export type PageMonitor = typeof PageMonitor.Type

/** How far the page's own domain is: its DNS record, then its certificate. */
export const CustomDomainStatus = Schema.Literals(["none", "pending_dns", "provisioning", "active", "failed"])
export type CustomDomainStatus = typeof CustomDomainStatus.Type

/** A DNS record that the owner of a custom domain creates. */
export const CustomDomainRecord = Schema.Struct({
  /** `ALIAS` stands for what DNS providers offer where a CNAME record is not possible, or the addresses themselves. */
  type: Schema.Literals(["CNAME", "ALIAS", "TXT"]),
  /** The full name, without a dot at the end. */
  name: Schema.String,
  value: Schema.String,
  /** What it is for, as a sentence. */
  purpose: Schema.String
})
export type CustomDomainRecord = typeof CustomDomainRecord.Type

export const StatusPage = Schema.Struct({
  id: StatusPageId,
  projectId: ProjectId,
  key: Schema.NullOr(Key),
  name: Name,
  /** As it was when it was chosen: words that are reserved later take no page away. */
  slug: Schema.String,
  /** The monitors of `monitors`, in the page's order. */
  monitorIds: Schema.Array(MonitorId),
  monitors: Schema.Array(PageMonitor),
  customDomain: Schema.NullOr(Schema.String),
  customDomainStatus: CustomDomainStatus,
  /** What stands in the way of the own domain, in words; null when nothing does. */
  customDomainError: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type StatusPage = typeof StatusPage.Type
