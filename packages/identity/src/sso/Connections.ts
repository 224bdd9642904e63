/**
 * The identity providers that may be used now: that of the installation, and those of organizations with a plan that
 * includes single sign-on.
 */
import { installationConnection, type SignOnConnection } from "./SingleSignOn.ts"
import { SignInMethods } from "./SignInMethods.ts"
import { OrganizationId } from "@kanmon/domain/Ids"
import { domainOf, type Trust } from "@kanmon/domain/SingleSignOn"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Plans } from "../billing/index.ts"
import { ConnectionRepository, type StoredConnection } from "./ConnectionRepository.ts"

const decodeId = Schema.decodeUnknownOption(OrganizationId)

export class Connections extends Context.Service<
  Connections,
  {
    readonly find: (id: string) => Effect.Effect<SignOnConnection | undefined>
    /** Even when members cannot sign in with it yet: for tests. */
    readonly findForTest: (id: OrganizationId) => Effect.Effect<SignOnConnection | undefined>
    readonly ofAddress: (email: string) => Effect.Effect<SignOnConnection | undefined>
    /** Whether an organization has single sign-on that people can begin with their address. */
    readonly ofAnyOrganization: Effect.Effect<boolean>
    /** The organization that requires single sign-on of an address. */
    readonly enforcing: (email: string) => Effect.Effect<OrganizationId | undefined>
    readonly trustIn: (connection: SignOnConnection) => Effect.Effect<Trust>
    /** Whether the plan of an organization includes single sign-on. */
    readonly isIncluded: (id: OrganizationId) => Effect.Effect<boolean>
    /** The settings behind a connection of an organization. */
    readonly stored: (id: string) => Effect.Effect<StoredConnection | undefined>
  }
>()("@kanmon/identity/sso/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const repository = yield* ConnectionRepository
      const plans = yield* Plans
      const { oidc } = yield* SignInMethods

      const isIncluded = Effect.fnUntraced(function* (id: OrganizationId) {
        return (yield* plans.inForce(id)).sso
      })

      const stored = (id: string) =>
        Option.match(decodeId(id), { onNone: () => Effect.succeed(undefined), onSome: repository.find })

      const usable = Effect.fnUntraced(function* (id: string, disabledToo: boolean) {
        if (id === installationConnection) return ofInstallation
        const found = yield* stored(id)
        if (found === undefined || !(found.settings.enabled || disabledToo)) return undefined
        return (yield* isIncluded(found.organizationId)) ? connectionOf(found) : undefined
      })

      const ofInstallation: SignOnConnection | undefined =
        oidc === undefined
          ? undefined
          : { protocol: "oidc", id: installationConnection, name: oidc.label, version: "settings", ...oidc }

      const ofAddress = Effect.fn("Connections.ofAddress")(function* (email: string) {
        const owner = yield* repository.ownerOf(domainOf(email))
        const own = owner === undefined ? undefined : yield* usable(owner, false)
        return own ?? ofInstallation
      })

      const enforcing = Effect.fn("Connections.enforcing")(function* (email: string) {
        const owner = yield* repository.ownerOf(domainOf(email))
        if (owner === undefined) return undefined
        const found = yield* repository.find(owner)
        if (found === undefined || !found.settings.enabled || !found.settings.enforced) return undefined
        return (yield* isIncluded(owner)) ? owner : undefined
      })

      const trustIn: Connections["Service"]["trustIn"] = Effect.fn("Connections.trustIn")(function* ({ id }) {
        const organizationId = Option.getOrUndefined(decodeId(id))
        if (organizationId === undefined) return { _tag: "Installation", unstated: oidc?.trustsEmail ?? false }
        const domains = yield* repository.domains(organizationId)
        return {
          _tag: "Organization",
          domains: domains.flatMap(({ domain, verifiedAt }) => (verifiedAt === null ? [] : [domain]))
        }
      })

      return Connections.of({
        find: Effect.fn("Connections.find")((id) => usable(id, false)),
        findForTest: Effect.fn("Connections.findForTest")((id) => usable(id, true)),
        ofAddress,
        ofAnyOrganization: repository.anyUsable,
        enforcing,
        trustIn,
        isIncluded,
        stored
      })
    })
  )
}

const connectionOf = ({ clientSecret, organizationId, organizationName, settings, version }: StoredConnection) => {
  const common = { id: organizationId, name: organizationName, version }
  const connection: SignOnConnection =
    settings.protocol === "oidc"
      ? {
          ...common,
          protocol: "oidc",
          issuer: settings.issuer,
          clientId: settings.clientId,
          clientSecret: clientSecret === undefined ? undefined : Redacted.make(clientSecret),
          scopes: settings.scopes,
          groupsClaim: settings.groupsClaim
        }
      : {
          ...common,
          protocol: "saml",
          entityId: settings.entityId,
          signInUrl: settings.signInUrl,
          certificates: settings.certificates,
          attributes: settings.attributes
        }
  return connection
}
