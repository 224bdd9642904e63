/* oxlint-disable node/no-process-env -- the one place that reads the environment */
/** The settings of the environment. All are validated at startup; an invalid one ends the process with a line that names it. */
import { domainToASCII } from "node:url"
import * as BaseAddress from "@kanmon/domain/BaseAddress"
import { basePath } from "@kanmon/protocol/BasePath"
import { NameServer } from "@kanmon/core/NameServer"
import { EmailAddress, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { fieldErrors } from "@kanmon/domain/FieldErrors"
import { PlanId } from "@kanmon/domain/Ids"
import { freePlanId, unlimitedPlanId } from "@kanmon/domain/Plan"
import { ProbeRegion } from "@kanmon/domain/Region"
import * as SignInSettings from "./SignInSettings.ts"
import {
  Config,
  ConfigProvider,
  Context,
  Data,
  Effect,
  Layer,
  Option,
  Result,
  Schema,
  SchemaTransformation
} from "effect"

/** The roles of a process. */
const Role = Schema.Literals(["api", "engine", "probe"])
export type Role = typeof Role.Type

const commaList = <Item extends Schema.ConstraintCodec<unknown, string>>(
  item: Item,
  name: string,
  fallback: ReadonlyArray<string>
) =>
  Config.schema(
    Schema.String.pipe(
      Schema.decodeTo(
        Schema.Array(item),
        SchemaTransformation.transform({
          decode: (text: string): ReadonlyArray<string> => text.split(",").flatMap((part) => part.trim() || []),
          encode: (parts: ReadonlyArray<string>) => parts.join(",")
        })
      )
    ),
    name
  ).pipe(Config.withDefault(fallback as ReadonlyArray<Item["Type"]>))

const HttpAddress = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/\s]+(\/.*)?$/, {
    message: "Expected a URL that begins with http:// or https://"
  })
)

const readAddress = (text: string) => BaseAddress.read(text, basePath)

/** The public address, in canonical form. */
const PublicAddress = Schema.String.check(
  Schema.makeFilter((text) => Option.getOrUndefined(Result.getFailure(readAddress(text))))
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text: string) => Result.getOrElse(readAddress(text), () => text),
      encode: (address: string) => address
    })
  )
)

/** A host name in canonical form: ASCII, lower case, without a trailing dot. */
const HostName = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isPattern(
        /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
        {
          message: "Expected a host name such as pages.example.org, without scheme, port or path"
        }
      )
    ),
    SchemaTransformation.transform({
      decode: (text: string) => domainToASCII(text.replace(/\.$/, "")) || text,
      encode: (name: string) => name
    })
  )
)

const HostAndPort = Schema.String.check(
  Schema.isPattern(/^([^\s:[\]/]+|\[[0-9a-fA-F:]+\]):\d{1,5}$/, {
    message: "Expected host:port, or several separated by commas"
  })
)

/** A comma-separated list of `host:port`. */
const hostsAndPorts = (name: string) =>
  commaList(HostAndPort, name, []).pipe(
    Config.map((entries) =>
      entries.map((entry) => ({
        host: entry.replace(/:\d+$/, "").replace(/^\[|\]$/g, ""),
        port: Number(/(?<!\d)\d+$/.exec(entry)![0])
      }))
    )
  )

/** Normalized like the addresses of accounts, with which it is compared. */
const AdminEmail = Schema.String.pipe(
  Schema.decodeTo(EmailAddress, SchemaTransformation.transform({ decode: normalizeEmail, encode: (text) => text }))
)

const PhonePrefix = Schema.String.check(
  Schema.isPattern(/^\+[1-9]\d{0,6}$/, {
    message: "Expected prefixes of phone numbers separated by commas, such as +49,+43"
  })
)

const positive = (name: string, fallback: number) =>
  Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
    name
  ).pipe(Config.withDefault(fallback))

/** A share from 0 to 1. */
const share = (name: string, fallback: number) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })), name).pipe(
    Config.withDefault(fallback)
  )

/** A maximum number of records; `unlimited` and 0 mean no limit. */
const quota = (name: string, fallback: number) =>
  Config.schema(
    Schema.Union([
      Schema.Literals(["unlimited", "0"]),
      Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
    ]).annotate({ message: "Expected a whole number from 1 to 1000000, or unlimited" }),
    name
  ).pipe(
    Config.map((value) => (typeof value === "number" ? value : Number.POSITIVE_INFINITY)),
    Config.withDefault(fallback)
  )

const settings = Config.all({
  port: Config.Port("KANMON_PORT").pipe(Config.withDefault(3000)),
  host: Config.NonEmptyString("KANMON_HOST").pipe(Config.withDefault("127.0.0.1")),
  baseUrl: Config.option(Config.schema(PublicAddress, "KANMON_BASE_URL")),
  dataDirectory: Config.NonEmptyString("KANMON_DATA_DIR").pipe(Config.withDefault("./.kanmon")),
  secret: Config.option(Config.Redacted("KANMON_SECRET")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  natsUrl: Config.option(Config.Redacted("NATS_URL")),
  natsPort: Config.option(Config.Port("KANMON_NATS_PORT")),
  streamMegabytes: positive("KANMON_STREAM_MEGABYTES", 1024),
  roles: commaList(Role, "KANMON_ROLES", ["api", "engine", "probe"]),
  region: Config.schema(ProbeRegion, "KANMON_REGION").pipe(Config.withDefault("eu-west")),
  regions: commaList(ProbeRegion, "KANMON_REGIONS", []),
  plugins: commaList(Schema.String, "KANMON_PLUGINS", []),
  allowPrivateTargets: Config.Boolean("KANMON_ALLOW_PRIVATE_TARGETS").pipe(Config.withDefault(false)),
  signUp: Config.Literals(["open", "closed"], "KANMON_SIGNUP").pipe(Config.withDefault("open" as const)),
  signIn: SignInSettings.settings,
  adminEmails: commaList(AdminEmail, "KANMON_ADMIN_EMAILS", []),
  confirmRecipients: Config.Literals(["auto", "always", "never"], "KANMON_CONFIRM_RECIPIENTS").pipe(
    Config.withDefault("auto" as const)
  ),
  smsCountries: commaList(PhonePrefix, "KANMON_SMS_COUNTRIES", []),
  phoneCountries: commaList(PhonePrefix, "KANMON_PHONE_COUNTRIES", []),
  smsOnFreePlans: Config.Boolean("KANMON_SMS_ON_FREE_PLANS").pipe(Config.withDefault(false)),
  smsPerHour: positive("KANMON_SMS_PER_HOUR", 20),
  groupAlerts: positive("KANMON_GROUP_ALERTS", 10),
  emailsPerHour: positive("KANMON_EMAILS_PER_HOUR", 500),
  defaultPlan: Config.option(Config.schema(PlanId, "KANMON_DEFAULT_PLAN")),
  stripeSecretKey: Config.option(Config.Redacted("STRIPE_SECRET_KEY")),
  stripeWebhookSecret: Config.option(Config.Redacted("STRIPE_WEBHOOK_SECRET")),
  stripeApiBase: Config.option(Config.schema(HttpAddress, "STRIPE_API_BASE")),
  trustedProxy: Config.Boolean("KANMON_TRUSTED_PROXY").pipe(Config.withDefault(false)),
  retentionDays: positive("KANMON_RETENTION_DAYS", 90),
  readsPerMinute: positive("KANMON_READS_PER_MINUTE", 600),
  writesPerMinute: positive("KANMON_WRITES_PER_MINUTE", 120),
  signInsPerMinute: positive("KANMON_SIGN_INS_PER_MINUTE", 10),
  signalsPerMinute: positive("KANMON_SIGNALS_PER_MINUTE", 60),
  quotas: Config.all({
    projects: quota("KANMON_MAX_PROJECTS", 100),
    channels: quota("KANMON_MAX_CHANNELS", 500),
    alertRules: quota("KANMON_MAX_ALERT_RULES", 1_000),
    statusPages: quota("KANMON_MAX_STATUS_PAGES", 200),
    openIncidents: quota("KANMON_MAX_OPEN_INCIDENTS", 500)
  }),
  maxConnections: positive("KANMON_MAX_CONNECTIONS", 10_000),
  probeConcurrency: positive("KANMON_PROBE_CONCURRENCY", 2000),
  hostConcurrency: positive("KANMON_HOST_CONCURRENCY", 200),
  referenceTargets: hostsAndPorts("KANMON_REFERENCE_TARGETS"),
  traceShare: share("KANMON_TRACE_CHECKS", 0.01),
  pagesDomain: Config.option(Config.schema(HostName, "KANMON_PAGES_DOMAIN")),
  pagesHost: Config.option(Config.schema(HostName, "KANMON_PAGES_HOST")),
  reservedDomains: commaList(HostName, "KANMON_RESERVED_DOMAINS", []),
  metricsPort: Config.option(Config.Port("KANMON_METRICS_PORT")),
  watchdogUrl: Config.option(Config.schema(HttpAddress, "KANMON_WATCHDOG_URL")),
  dnsResolver: Config.option(Config.schema(NameServer, "KANMON_DNS_RESOLVER")),
  checkResolver: Config.option(Config.schema(NameServer, "KANMON_CHECK_RESOLVER")),
  rdapBootstrapUrl: Config.option(Config.schema(HttpAddress, "RDAP_BOOTSTRAP_URL")),
  tlsPort: Config.option(Config.Port("KANMON_TLS_PORT")),
  http01Port: Config.option(Config.Port("KANMON_HTTP01_PORT")),
  acmeDirectoryUrl: Config.schema(HttpAddress, "ACME_DIRECTORY_URL").pipe(
    Config.withDefault("https://acme-v02.api.letsencrypt.org/directory")
  ),
  acmeEmail: Config.option(Config.NonEmptyString("ACME_EMAIL")),
  acmeKeyId: Config.option(Config.NonEmptyString("ACME_EAB_KID")),
  acmeKey: Config.option(Config.Redacted("ACME_EAB_HMAC_KEY")),
  acmeCaFile: Config.option(Config.NonEmptyString("ACME_CA_FILE")),
  logLevel: Config.LogLevel("KANMON_LOG_LEVEL").pipe(Config.withDefault("Info" as const)),
  otlpEndpoint: Config.option(Config.schema(HttpAddress, "OTEL_EXPORTER_OTLP_ENDPOINT"))
})

type Read = Config.Success<typeof settings>

/** A setting that cannot be used. */
export class BadSetting extends Data.TaggedError("BadSetting")<{ readonly setting: string; readonly problem: string }> {
  override get message(): string {
    return `${this.setting}: ${this.problem}`
  }
}

export class Settings extends Context.Service<
  Settings,
  Omit<Read, "baseUrl" | "defaultPlan"> & {
    /** The plan of accounts without a subscription. */
    readonly defaultPlan: PlanId
    /** The public URL of this installation, without a trailing slash. */
    readonly baseUrl: string
    /** Region labels that are accepted before their first probe: the named ones, or that of this process's probe. */
    readonly knownRegions: ReadonlyArray<string>
    /** The names of all settings that this class reads. */
    readonly names: ReadonlySet<string>
  }
>()("@kanmon/server/Settings") {
  /** Reads the settings from the process's environment; `flags` are settings that were given on the command line. */
  static readonly layerWith = (flags: Readonly<Record<string, string>>) =>
    Layer.effect(
      Settings,
      Effect.gen(function* () {
        const env = ConfigProvider.fromEnv({ env: { ...process.env, ...flags } as Record<string, string> })
        const names = new Set<string>()
        const provider = ConfigProvider.make((path) => {
          names.add(path.join("_"))
          return env.load(path)
        })
        const read = yield* settings.parse(provider).pipe(Effect.mapError(named))
        yield* rolesFit(read)
        const objection = SignInSettings.objection(read.signIn)
        if (objection !== undefined) return yield* new BadSetting(objection)
        return Settings.of({
          ...read,
          baseUrl: Option.getOrElse(read.baseUrl, () => `http://${urlHost(read.host)}:${read.port}`),
          defaultPlan: Option.getOrElse(read.defaultPlan, () =>
            Option.isSome(read.stripeSecretKey) ? freePlanId : unlimitedPlanId
          ),
          names,
          knownRegions: read.regions.length > 0 || !read.roles.includes("probe") ? read.regions : [read.region]
        })
      })
    )

  static readonly layer = Settings.layerWith({})
}

/** Processes with different roles need a common NATS server and database. */
const rolesFit = ({ databaseUrl, natsUrl, roles }: Read): Effect.Effect<void, BadSetting> => {
  const api = roles.includes("api")
  const engine = roles.includes("engine")
  if (roles.length === 0)
    return new BadSetting({ setting: "KANMON_ROLES", problem: "Expected one or more of api, engine, probe" })
  if (!api && !engine && Option.isNone(natsUrl))
    return new BadSetting({
      setting: "NATS_URL",
      problem: "A separate probe needs the NATS server of the installation. Set its address."
    })
  if (api !== engine && Option.isNone(databaseUrl))
    return new BadSetting({
      setting: "DATABASE_URL",
      problem: `Without the ${api ? "engine" : "api"} in the same process, the ${api ? "api" : "engine"} needs the database of the installation. Set its address.`
    })
  return Effect.void
}

const urlHost = (host: string): string =>
  host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host

const named = (error: Config.ConfigError): BadSetting => {
  const row = error.cause._tag === "SchemaError" ? fieldErrors(error.cause.issue)[0] : undefined
  return row === undefined
    ? new BadSetting({ setting: "The environment", problem: error.message })
    : new BadSetting({ setting: row.path, problem: row.message })
}

/** The whole environment, for files that refer to variables. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env

/** `PATH`. */
export const searchPath = (): string => process.env["PATH"] ?? ""
