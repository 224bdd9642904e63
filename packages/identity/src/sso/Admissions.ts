/**
 * Signs people in to accounts for their identity providers: decides which account an identity belongs to, creates it where there
 * is none, and brings its memberships up to date, in one transaction with the audit log.
 */
import { createHash } from "node:crypto"
import type { Admitted, SignOnConnection } from "./SingleSignOn.ts"
import { type InstallationRole, SignInMethods } from "./SignInMethods.ts"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { nextUserId, OrganizationId, type UserId } from "@kanmon/domain/Ids"
import { clipped, isVisible } from "@kanmon/domain/Line"
import type { Role } from "@kanmon/domain/Role"
import {
  admit as decide,
  type Identity,
  identityProblem,
  type RefusalReason,
  roleAfter,
  roleOf
} from "@kanmon/domain/SingleSignOn"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../audit/index.ts"
import { Invitations, Organizations } from "../organizations/index.ts"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { Transaction } from "@kanmon/platform/Transaction"
import { Connections } from "./Connections.ts"
import { MemberSync, type SyncedAccount } from "./MemberSync.ts"
import { MemberSyncRepository } from "./MemberSyncRepository.ts"
import { PendingRepository } from "./PendingRepository.ts"
import { ScimGroupRepository } from "./ScimGroupRepository.ts"
import { ScimUserRepository } from "./ScimUserRepository.ts"
import { SignOnAccountRepository } from "../users/index.ts"

const reasons: Readonly<Record<RefusalReason, string>> = {
  no_email:
    "The identity provider sent no e-mail address. Its administrator has to let it send one: the scope `email`, or an attribute.",
  email_not_ascii:
    "The e-mail address that the identity provider sent has other characters than ASCII. They look like others, so such addresses are not compared: let it send the address in ASCII, with an international domain as xn--….",
  email_not_verified:
    "The identity provider does not say that your e-mail address is verified. Verify it there, or ask the administrator of single sign-on.",
  domain_not_proven:
    "The organization of this identity provider has not proven that the domain of your e-mail address belongs to it. An owner can prove it in the settings of single sign-on."
}
const noRole = "None of your groups at the identity provider gives you access. Ask its administrator."
const full = "The plan of the organization has no room for another member. Ask an owner."
const elsewhere =
  "Your organization requires its own single sign-on. Enter your e-mail address on the sign-in page, which leads there."
const disabled = "This account is disabled; ask the operator of this installation."
const deactivated = "Your organization's directory has removed your access. Ask its administrator to restore it there."
const replayed = "This answer of the identity provider was used before. Sign in again."

const decodeOrganization = Schema.decodeUnknownOption(OrganizationId)

/**
 * The organization that the operator's settings mean. One that they name, and do not know by its id, has an id that follows from
 * the name: an account that gives its organization the same name does not get what was meant for that one.
 */
const organizationOfSetting = (named: string): { readonly id: OrganizationId; readonly name?: string } =>
  Option.match(decodeOrganization(named), {
    onSome: (id) => ({ id }),
    onNone: () => ({
      id: OrganizationId.make(
        `org_${createHash("sha256").update(`kanmon/settings/organization\n${named}`).digest("hex").slice(0, 26)}`
      ),
      name: named
    })
  })

/** The name of a person who has none. */
const nameOf = ({ name = "" }: Identity, email: string): string =>
  clipped(isVisible(name) ? name : email.slice(0, email.indexOf("@")), 200)

interface AdmitOptions {
  readonly assertion?: string | undefined
  readonly proven?: boolean
  /** The network address of the client. */
  readonly address: string
}

export class Admissions extends Context.Service<Admissions>()("@kanmon/identity/sso/Admissions", {
  make: Effect.gen(function* () {
    const accounts = yield* SignOnAccountRepository
    const pending = yield* PendingRepository
    const connections = yield* Connections
    const members = yield* MemberSync
    const memberships = yield* MemberSyncRepository
    const provisioned = yield* ScimGroupRepository
    const people = yield* ScimUserRepository
    const organizations = yield* Organizations
    const invitations = yield* Invitations
    const transaction = yield* Transaction
    const audit = yield* AuditLog
    const random = yield* SecureRandom.SecureRandom
    const { oidc } = yield* SignInMethods
    const nextId = Effect.provideService(nextUserId, SecureRandom.SecureRandom, random)

    const organizationOf = (connection: SignOnConnection): OrganizationId | undefined =>
      Option.getOrUndefined(decodeOrganization(connection.id))

    /** Records a refusal. */
    const refused = Effect.fn("Admissions.refused")(function* (
      connection: SignOnConnection,
      detail: string,
      address: string,
      who = "somebody"
    ) {
      const organizationId = organizationOf(connection)
      yield* audit
        .record([
          {
            action: "sso.refused",
            target: { id: connection.id, name: connection.name },
            ...(organizationId === undefined ? {} : { organizationId }),
            after: { who, why: detail }
          }
        ])
        .pipe(Effect.provideService(CurrentActor, { actor: { kind: "person", id: null, name: who }, address }))
    }, transaction.run)

    const candidates = Effect.fnUntraced(function* (connection: SignOnConnection, identity: Identity) {
      const connected = yield* accounts.connected(connection.id, identity.subject)
      const email = normalizeEmail(identity.email ?? "")
      const sameAddress = connected === undefined && email !== "" ? yield* accounts.withAddress(email) : undefined
      return { connected, sameAddress }
    })

    /** Memberships that an organization's own identity provider decides about. */
    const syncOwn = Effect.fnUntraced(function* (
      connection: SignOnConnection,
      organizationId: OrganizationId,
      account: SyncedAccount,
      groups: ReadonlyArray<string>
    ) {
      const stored = yield* connections.stored(connection.id)
      if (stored === undefined) return noRole
      if (yield* people.isDeactivated(organizationId, account.id)) return deactivated
      // The person has proven the invited address by this sign-in.
      const hasRoom = yield* Effect.isSuccess(invitations.redeem(organizationId, account))
      const member = yield* memberships.find(organizationId, account.id)
      // Groups that are provisioned count as if they were claimed.
      const all = [...groups, ...(yield* provisioned.namesOf(organizationId, account.id))]
      const role = roleAfter(stored.settings, all, member)
      if (role === undefined && !hasRoom) return full
      const synced = yield* members.sync(organizationId, account, role, "sso")
      return synced === "full" ? full : synced === "none" ? noRole : undefined
    })

    /** Memberships that the settings of the installation decide about. */
    const syncInstallation = Effect.fnUntraced(function* (
      mapping: ReadonlyArray<InstallationRole>,
      account: SyncedAccount,
      groups: ReadonlyArray<string>
    ) {
      let hasNoRoom = false
      for (const named of new Set(mapping.map(({ organization }) => organization))) {
        const own = mapping.filter(({ organization }) => organization === named)
        const role: Role | undefined = roleOf(own, groups)
        const { id, name } = organizationOfSetting(named)
        if (role !== undefined && name !== undefined) yield* organizations.ensure(id, name)
        if ((yield* organizations.nameOf(id)) === undefined) continue
        const synced = yield* members.sync(id, account, role, "sso")
        hasNoRoom ||= synced === "full"
      }
      if (yield* memberships.isMember(account.id)) return undefined
      return hasNoRoom ? full : noRole
    })

    /** Memberships of an account; why it cannot be used, if it cannot. */
    const sync = Effect.fnUntraced(function* (
      connection: SignOnConnection,
      account: SyncedAccount & { readonly name: string },
      groups: ReadonlyArray<string>,
      isNew: boolean
    ) {
      const organizationId = organizationOf(connection)
      if (organizationId !== undefined) return yield* syncOwn(connection, organizationId, account, groups)
      const mapping = oidc?.roles ?? []
      if (mapping.length > 0) return yield* syncInstallation(mapping, account, groups)
      if (isNew) yield* organizations.create(account.id, account.name)
      return undefined
    })

    const acting = (id: UserId, email: string, address: string) =>
      Effect.provideService(CurrentActor, { actor: { kind: "person", id, name: email }, address })

    const create = Effect.fnUntraced(function* (identity: Identity, email: string, address: string) {
      const id = yield* nextId
      const account = { id, email, name: nameOf(identity, email) }
      yield* accounts.insert(account, yield* Clock.currentTimeMillis)
      yield* audit
        .record([
          {
            action: "account.created",
            target: { id, name: email },
            accountId: id,
            after: { email, name: account.name }
          }
        ])
        .pipe(acting(id, email, address))
      return account
    })

    /** Rolled back as a whole when the account cannot be used: no account without a membership is left behind. */
    const enter = Effect.fnUntraced(function* (
      connection: SignOnConnection,
      identity: Identity,
      { address, proven = false }: AdmitOptions
    ) {
      const found = yield* candidates(connection, identity)
      const decision = decide(identity, yield* connections.trustIn(connection), found)
      if (decision._tag === "Refuse") return yield* new NotAdmitted({ detail: reasons[decision.reason] })
      const existing = found.connected ?? found.sameAddress
      if (organizationOf(connection) === undefined) {
        const required = yield* connections.enforcing(existing?.email ?? identity.email ?? "")
        if (required !== undefined) return yield* new NotAdmitted({ detail: elsewhere })
      }
      if (decision._tag === "AskPassword" && !proven)
        return { _tag: "PasswordNeeded", email: found.sameAddress!.email } as const
      if (existing?.isDisabled === true) return yield* new NotAdmitted({ detail: disabled })
      const account =
        decision._tag === "Create"
          ? yield* create(identity, decision.email, address)
          : decision._tag === "SignIn"
            ? found.connected!
            : found.sameAddress!
      const { email, id } = account
      const at = yield* Clock.currentTimeMillis
      if (decision._tag !== "SignIn") {
        yield* accounts.connect(connection.id, identity.subject, id, at)
        yield* accounts.markVerified(id)
      }
      return yield* Effect.gen(function* () {
        const objection = yield* sync(connection, account, identity.groups, decision._tag === "Create")
        if (objection !== undefined) return yield* new NotAdmitted({ detail: objection })
        const organizationId = organizationOf(connection)
        const about = {
          target: { id, name: email },
          accountId: id,
          ...(organizationId === undefined ? {} : { organizationId })
        }
        const via = { connection: connection.id, subject: identity.subject }
        const isConnected = decision._tag === "Connect" || decision._tag === "AskPassword"
        yield* audit.record([
          ...(isConnected ? [{ action: "sso.connected" as const, ...about, after: via }] : []),
          { action: "sso.signed_in", ...about, after: via }
        ])
        return { _tag: "SignedIn", userId: id, isConnected } as const
      }).pipe(acting(id, email, address))
    })

    const admit = Effect.fn("Admissions.admit")(function* (
      connection: SignOnConnection,
      identity: Identity,
      options: AdmitOptions
    ) {
      const { address, assertion } = options
      const now = yield* Clock.currentTimeMillis
      const problem = identityProblem(identity)
      if (problem !== undefined)
        return yield* Effect.as(refused(connection, problem, address), {
          _tag: "Refused",
          detail: problem
        } as const)
      const who = clipped(normalizeEmail(identity.email ?? identity.subject), 320)
      // Outside of the transaction: a refused assertion is used all the same.
      const isFresh = assertion === undefined || (yield* pending.useAssertion(connection.id, assertion, now))
      const entered: Admitted = yield* (
        isFresh
          ? transaction.run(Effect.andThen(accounts.lock(who), enter(connection, identity, options)))
          : Effect.fail(new NotAdmitted({ detail: replayed }))
      ).pipe(
        Effect.catchTag("NotAdmitted", ({ detail }) =>
          Effect.as(refused(connection, detail, address, who), { _tag: "Refused", detail } as const)
        )
      )
      return entered
    })

    /** The membership that the identity would be signed in to, or is invited to. */
    const memberOf = Effect.fnUntraced(function* (
      connection: SignOnConnection,
      { connected, sameAddress }: Effect.Success<ReturnType<typeof candidates>>,
      { email = "" }: Identity
    ) {
      const organizationId = organizationOf(connection)
      if (organizationId === undefined) return undefined
      const account = connected ?? sameAddress
      const member = account === undefined ? undefined : yield* memberships.find(organizationId, account.id)
      if (member !== undefined) return member
      const role = yield* invitations.roleFor(organizationId, account?.email ?? email)
      return role === undefined ? undefined : ({ role, source: "invitation" } as const)
    })

    /** Describes the expected decision in words, without side effects. */
    const predict = Effect.fn("Admissions.predict")(function* (connection: SignOnConnection, identity: Identity) {
      const problem = identityProblem(identity)
      if (problem !== undefined) return `The sign-in would be refused. ${problem}`
      const found = yield* candidates(connection, identity)
      const decision = decide(identity, yield* connections.trustIn(connection), found)
      if (decision._tag === "Refuse") return `The sign-in would be refused. ${reasons[decision.reason]}`
      const stored = yield* connections.stored(connection.id)
      const role =
        stored === undefined
          ? undefined
          : roleAfter(stored.settings, identity.groups, yield* memberOf(connection, found, identity))
      if (stored !== undefined && role === undefined) return `The sign-in would be refused. ${noRole}`
      const account =
        decision._tag === "Create"
          ? "a new account would be created"
          : decision._tag === "SignIn"
            ? "the connected account would be signed in"
            : decision._tag === "Connect"
              ? "the account with this address would be connected and signed in"
              : "the password of the account with this address would be asked once"
      const groups = identity.groups.length === 0 ? "no groups" : `the groups ${identity.groups.join(", ")}`
      return `With ${identity.email} and ${groups}, ${account}${role === undefined ? "" : `, with the role ${role}`}.`
    })

    return { admit, predict, refused }
  })
}) {
  static readonly layer = Layer.effect(Admissions, Admissions.make).pipe(
    Layer.provide([
      SignOnAccountRepository.layer,
      Connections.layer,
      MemberSync.layer,
      MemberSyncRepository.layer,
      ScimGroupRepository.layer,
      ScimUserRepository.layer
    ])
  )
}

/** Ends the transaction. `detail` is shown to the person. */
class NotAdmitted extends Schema.TaggedError<NotAdmitted>()("NotAdmitted", { detail: Schema.String }) {}
