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

export class Connections extends Context.Service<Connections>()("@kanmon/identity/sso/Connections", {
  make: Effect.gen(function* () {
    const repository = yield* ConnectionRepository
    const plans = yield* Plans
    const { oidc } = yield* SignInMethods

    /** Whether the plan of an organization includes single sign-on. */
    const isIncluded = Effect.fnUntraced(function* (id: OrganizationId) {
      return (yield* plans.inForce(id)).sso
    })

    /** The settings behind a connection of an organization. */
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

    /** The organization that requires single sign-on of an address. */
    const enforcing = Effect.fn("Connections.enforcing")(function* (email: string) {
      const owner = yield* repository.ownerOf(domainOf(email))
      if (owner === undefined) return undefined
      const found = yield* repository.find(owner)
      if (found === undefined || !found.settings.enabled || !found.settings.enforced) return undefined
      return (yield* isIncluded(owner)) ? owner : undefined
    })

    const trustIn: (connection: SignOnConnection) => Effect.Effect<Trust> = Effect.fn("Connections.trustIn")(
      function* ({ id }) {
        const organizationId = Option.getOrUndefined(decodeId(id))
        if (organizationId === undefined) return { _tag: "Installation", unstated: oidc?.trustsEmail ?? false }
        const domains = yield* repository.domains(organizationId)
        return {
          _tag: "Organization",
          domains: domains.flatMap(({ domain, verifiedAt }) => (verifiedAt === null ? [] : [domain]))
        }
      }
    )

    return {
      find: Effect.fn("Connections.find")((id: string) => usable(id, false)),
      /** Even when members cannot sign in with it yet: for tests. */
      findForTest: Effect.fn("Connections.findForTest")((id: OrganizationId) => usable(id, true)),
      ofAddress,
      /** Whether an organization has single sign-on that people can begin with their address. */
      ofAnyOrganization: repository.anyUsable,
      enforcing,
      trustIn,
      isIncluded,
      stored
    }
  })
}) {
  static readonly layer = Layer.effect(Connections, Connections.make)
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
