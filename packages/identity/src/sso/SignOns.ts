/** The rules of an organization's single sign-on: its settings, and the domains that it proves by DNS. */
import { randomBytes, X509Certificate } from "node:crypto"
import { Resolver } from "@kanmon/core/Resolver"
import { SignOnNetwork } from "./SignOnNetwork.ts"
import { isAscii, normalizeEmail } from "@kanmon/domain/EmailAddress"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import type { OrganizationId } from "@kanmon/domain/Ids"
import type { OrganizationSignOn } from "@kanmon/domain/SignOnSettings"
import { Clock, Context, Data, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { parse as parseHost } from "tldts"
import { AuditLog } from "../audit/index.ts"
import { Plans } from "../billing/index.ts"
import { OrganizationLock, Organizations } from "../organizations/index.ts"
import { SignOnAccountRepository } from "../users/index.ts"
import { Transaction } from "@kanmon/platform/Transaction"
import { ConnectionRepository, type StoredDomain } from "./ConnectionRepository.ts"

/** The plan of the organization includes no single sign-on. */
export class SignOnNotIncluded extends Data.TaggedError("SignOnNotIncluded")<{
  readonly planId: string
  readonly planName: string
}> {}

export class DomainNotFound extends Data.TaggedError("DomainNotFound")<{ readonly domain: string }> {}

/** Another organization has proven the domain, and still does. */
export class DomainTaken extends Data.TaggedError("DomainTaken")<{ readonly domain: string }> {}

/** The TXT record is not there. `detail` says what was found. */
export class DomainNotProven extends Data.TaggedError("DomainNotProven")<{ readonly detail: string }> {}

const maxDomains = 50

/** The TXT record that proves a domain. */
export const recordOf = ({ domain, proof }: Pick<StoredDomain, "domain" | "proof">) => ({
  name: `_kanmon-sso.${domain}`,
  value: `kanmon-sso=${proof}`
})

export class SignOns extends Context.Service<SignOns>()("@kanmon/identity/sso/SignOns", {
  make: Effect.gen(function* () {
    const repository = yield* ConnectionRepository
    const accounts = yield* SignOnAccountRepository
    const organizations = yield* Organizations
    const plans = yield* Plans
    const lock = yield* OrganizationLock
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const resolver = yield* Resolver
    const { allowsPlain } = yield* SignOnNetwork
    const random = yield* SecureRandom.SecureRandom

    const included = Effect.fnUntraced(function* (id: OrganizationId) {
      const plan = yield* plans.inForce(id)
      if (!plan.sso) return yield* new SignOnNotIncluded({ planId: plan.id, planName: plan.name })
    })
    const about = Effect.fnUntraced(function* (id: OrganizationId) {
      return { target: { id, name: (yield* organizations.nameOf(id)) ?? id }, organizationId: id }
    })

    const get = Effect.fn("SignOns.get")(function* (id: OrganizationId) {
      return {
        isIncluded: (yield* plans.inForce(id)).sso,
        connection: yield* repository.find(id),
        domains: yield* repository.domains(id)
      }
    })

    /** `clientSecret` undefined keeps the stored one. */
    const save = Effect.fn("SignOns.save")(function* (
      id: OrganizationId,
      settings: OrganizationSignOn,
      clientSecret: string | null | undefined
    ) {
      yield* included(id)
      const errors = objections(settings, allowsPlain)
      if (errors.length > 0) return yield* new InvalidFields({ errors })
      yield* lock.hold(id)
      const before = yield* repository.find(id)
      const version = yield* random.ulid
      yield* repository.save(id, settings, clientSecret, version, yield* Clock.currentTimeMillis)
      // Another provider may call another person the same.
      if (before !== undefined && providerOf(before.settings) !== providerOf(settings)) yield* accounts.disconnect(id)
      yield* audit.record([
        {
          action: "sso.updated",
          ...(yield* about(id)),
          before: before?.settings ?? {},
          after: { ...settings, ...(clientSecret === undefined ? {} : { clientSecret: "replaced" }) }
        }
      ])
    }, transaction.run)

    const remove = Effect.fn("SignOns.remove")(function* (id: OrganizationId) {
      yield* lock.hold(id)
      const before = yield* repository.find(id)
      if (before === undefined) return false
      yield* repository.remove(id)
      yield* accounts.disconnect(id)
      yield* audit.record([{ action: "sso.deleted", ...(yield* about(id)), before: before.settings }])
      return true
    }, transaction.run)

    const found = Effect.fnUntraced(function* (id: OrganizationId, domain: string) {
      const all = yield* repository.domains(id)
      return all.find((claimed) => claimed.domain === normalizeEmail(domain)) ?? (yield* new DomainNotFound({ domain }))
    })

    const addDomain = Effect.fn("SignOns.addDomain")(function* (id: OrganizationId, name: string) {
      yield* included(id)
      const domain = normalizeEmail(name).replace(/\.$/, "")
      const parsed = parseHost(domain, { allowPrivateDomains: true })
      if (!isAscii(domain) || parsed.domain === null || parsed.isIp === true || parsed.hostname !== domain)
        return yield* new InvalidFields({
          errors: [
            {
              path: "domain",
              message: "Expected the domain of e-mail addresses in ASCII, such as example.com or xn--mnchen-3ya.example"
            }
          ]
        })
      yield* lock.hold(id)
      const claimed = yield* repository.domains(id)
      const existing = claimed.find((one) => one.domain === domain)
      if (existing !== undefined) return existing
      if (claimed.length >= maxDomains)
        return yield* new InvalidFields({
          errors: [{ path: "domain", message: `Expected at most ${maxDomains} domains; delete one first` }]
        })
      const proof = randomBytes(24).toString("base64url")
      const createdAt = yield* Clock.currentTimeMillis
      yield* repository.insertDomain(id, domain, proof, createdAt)
      yield* audit.record([{ action: "sso.domain_added", ...(yield* about(id)), after: { domain } }])
      return { domain, proof, verifiedAt: null, createdAt }
    }, transaction.run)

    const verifyDomain = Effect.fn("SignOns.verifyDomain")(function* (id: OrganizationId, name: string) {
      const claimed = yield* found(id, name)
      const { domain } = claimed
      const record = recordOf(claimed)
      // Outside of the transaction: name servers may take their time.
      const values = yield* resolver.records(record.name, "TXT").pipe(
        Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => Effect.succeed([]) }),
        Effect.catch(() => Effect.succeed([] as ReadonlyArray<string>))
      )
      const given = new Set(values.map((value) => value.trim().replace(/^"(.*)"$/, "$1")))
      if (!given.has(record.value))
        return yield* new DomainNotProven({
          detail: `No TXT record ${record.name} with the value ${record.value} was found. Create it where the domain's DNS is kept; new records can take some minutes to appear`
        })
      const at = yield* Clock.currentTimeMillis
      yield* transaction.run(
        Effect.gen(function* () {
          const owner = yield* repository.ownerOf(domain)
          if (owner !== undefined && owner !== id) {
            // An organization that removed the record or lost the domain releases it.
            const theirs = (yield* repository.domains(owner)).find((one) => one.domain === domain)
            if (theirs !== undefined && given.has(recordOf(theirs).value)) return yield* new DomainTaken({ domain })
          }
          yield* repository.verifyDomain(id, domain, at)
          yield* audit.record([{ action: "sso.domain_verified", ...(yield* about(id)), after: { domain } }])
        })
      )
      return { ...claimed, verifiedAt: at }
    })

    const removeDomain = Effect.fn("SignOns.removeDomain")(function* (id: OrganizationId, name: string) {
      const { domain } = yield* found(id, name)
      yield* repository.removeDomain(id, domain)
      yield* audit.record([{ action: "sso.domain_deleted", ...(yield* about(id)), before: { domain } }])
    }, transaction.run)

    return { get, save, remove, addDomain, verifyDomain, removeDomain }
  })
}) {
  static readonly layer = Layer.effect(SignOns, SignOns.make).pipe(Layer.provide(OrganizationLock.layer))
}

/** The provider that asserts identities. */
const providerOf = (settings: OrganizationSignOn): string =>
  settings.protocol === "oidc" ? `oidc ${settings.issuer}` : `saml ${settings.entityId}`

const objections = (settings: OrganizationSignOn, allowsPlain: boolean) => {
  const address = settings.protocol === "oidc" ? settings.issuer : settings.signInUrl
  const path = settings.protocol === "oidc" ? "issuer" : "signInUrl"
  return [
    ...(allowsPlain || address.startsWith("https:")
      ? []
      : [{ path, message: "Expected a URL that begins with https://" }]),
    ...(settings.protocol === "oidc"
      ? []
      : settings.certificates.flatMap((certificate, index) => {
          const message = certificateObjection(certificate)
          return message === undefined ? [] : [{ path: `certificates[${index}]`, message }]
        }))
  ]
}

const certificateObjection = (pem: string): string | undefined => {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType === "rsa"
      ? undefined
      : "Expected a certificate with an RSA key"
  } catch {
    return "Expected an X.509 certificate in PEM, with -----BEGIN CERTIFICATE-----"
  }
}
