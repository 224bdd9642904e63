/** The settings of signing in: the identity provider of the installation, and whether passwords are accepted. */
import type { InstallationRole, SignInMethodsSettings } from "@kanmon/identity/sso"
import { roles as roleNames, Role } from "@kanmon/domain/Role"
import { Config, Option, Schema, SchemaTransformation } from "effect"

const HttpAddress = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/\s@]+(\/\S*)?$/, {
    message: "Expected a URL that begins with https://, such as https://login.example.org/realms/staff"
  })
)

const words = (name: string, fallback: ReadonlyArray<string>) =>
  Config.schema(
    Schema.String.pipe(
      Schema.decodeTo(
        Schema.Array(Schema.String),
        SchemaTransformation.transform({
          decode: (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((word) => word !== ""),
          encode: (parts: ReadonlyArray<string>) => parts.join(" ")
        })
      )
    ),
    name
  ).pipe(Config.withDefault(fallback))

const isRole = Schema.is(Role)

/** `group=organization:role`. The group may contain colons and the organization equals signs, as names at providers do. */
const ruleIn = (text: string): InstallationRole | undefined => {
  const [equals, colon] = [text.indexOf("="), text.lastIndexOf(":")]
  if (equals === -1 || colon < equals) return undefined
  const group = text.slice(0, equals).trim()
  const organization = text.slice(equals + 1, colon).trim()
  const role = text.slice(colon + 1).trim()
  return group === "" || organization === "" || !isRole(role) ? undefined : { group, organization, role }
}

const rulesIn = (text: string): ReadonlyArray<string> => text.split(",").filter((rule) => rule.trim() !== "")

const Rules = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const wrong = rulesIn(text).find((rule) => ruleIn(rule) === undefined)
    return (
      wrong === undefined ||
      `Expected group=organization:role, separated by commas, with one of the roles ${roleNames.join(", ")}; "${wrong.trim()}" is not that`
    )
  })
)

const onOrOff = (name: string, fallback: boolean) =>
  Config.Literals(["on", "off"], name).pipe(
    Config.map((value) => value === "on"),
    Config.withDefault(fallback)
  )

export const settings = Config.all({
  issuer: Config.option(Config.schema(HttpAddress, "KANMON_OIDC_ISSUER")),
  clientId: Config.option(Config.NonEmptyString("KANMON_OIDC_CLIENT_ID")),
  clientSecret: Config.option(Config.Redacted("KANMON_OIDC_CLIENT_SECRET")),
  scopes: words("KANMON_OIDC_SCOPES", ["email", "profile"]),
  groupsClaim: Config.NonEmptyString("KANMON_OIDC_GROUPS_CLAIM").pipe(Config.withDefault("groups")),
  label: Config.NonEmptyString("KANMON_OIDC_LABEL").pipe(Config.withDefault("Single sign-on")),
  roles: Config.schema(Rules, "KANMON_OIDC_ROLES").pipe(Config.withDefault("")),
  trustsEmail: onOrOff("KANMON_OIDC_TRUST_EMAIL", false),
  local: onOrOff("KANMON_LOCAL_LOGIN", true)
})

export type SignInSettings = Config.Success<typeof settings>

/** A conflict between settings, with the name of one of them; undefined if there is none. */
export const objection = ({
  clientId,
  issuer,
  local
}: SignInSettings): { readonly setting: string; readonly problem: string } | undefined => {
  if (Option.isSome(issuer) && Option.isNone(clientId))
    return {
      setting: "KANMON_OIDC_CLIENT_ID",
      problem: "KANMON_OIDC_ISSUER needs the id of a client that is registered there. Set it."
    }
  if (Option.isNone(issuer) && Option.isSome(clientId))
    return { setting: "KANMON_OIDC_ISSUER", problem: "KANMON_OIDC_CLIENT_ID needs the address of its issuer. Set it." }
  if (!local && Option.isNone(issuer))
    return {
      setting: "KANMON_LOCAL_LOGIN",
      problem: "Without KANMON_OIDC_ISSUER, off would leave no way to sign in. Set the issuer, or remove this setting."
    }
  return undefined
}

/** As single sign-on reads them. */
export const methods = (read: SignInSettings): SignInMethodsSettings => ({
  local: read.local,
  oidc: Option.match(read.issuer, {
    onNone: () => undefined,
    onSome: (issuer) => ({
      issuer,
      clientId: Option.getOrElse(read.clientId, () => ""),
      clientSecret: Option.getOrUndefined(read.clientSecret),
      scopes: read.scopes,
      groupsClaim: read.groupsClaim,
      label: read.label,
      trustsEmail: read.trustsEmail,
      roles: rulesIn(read.roles).flatMap((rule) => ruleIn(rule) ?? [])
    })
  })
})
