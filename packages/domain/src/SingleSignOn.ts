/**
 * Single sign-on: the assertions of an identity provider about a person, the role for its groups, and the account it
 * may sign in to. Decisions only. Tenants choose the identity provider of their organization, so its assertions are
 * trusted for the organization's verified domains only.
 */
import { Schema } from "effect"
import { filledText } from "./BoundedText.ts"
import { isEmailAddress, isAscii, normalizeEmail } from "./EmailAddress.ts"
import { includes, type MemberSource, Role } from "./Role.ts"

/** A group of the identity provider, and the role that its members get. */
export const GroupRole = Schema.Struct({
  group: filledText(256).annotate({
    description: "The group as the identity provider names it; `*` is everyone who signs in"
  }),
  role: Role
}).annotate({ identifier: "GroupRole" })
export type GroupRole = typeof GroupRole.Type

/** The group that everybody belongs to. */
export const everyone = "*"

/** The highest role that the groups of a person give; undefined when none does. */
export const roleOf = (mapping: ReadonlyArray<GroupRole>, groups: ReadonlyArray<string>): Role | undefined =>
  mapping
    .filter(({ group }) => group === everyone || groups.includes(group))
    .reduce<Role | undefined>(
      (highest, { role }) => (highest !== undefined && includes(highest, role) ? highest : role),
      undefined
    )

/**
 * The role that a person has after a sign-in; undefined when it is refused. Owners whom people made stay owners. For the others
 * groups decide first. Where none of theirs is listed, a role that a person gave stays, and everybody else gets the role for others.
 */
export const roleAfter = (
  { defaultRole, roles }: { readonly roles: ReadonlyArray<GroupRole>; readonly defaultRole: Role | null },
  groups: ReadonlyArray<string>,
  member: { readonly role: Role; readonly source: MemberSource } | undefined
): Role | undefined => {
  const given = member === undefined || isProvisioned(member) ? undefined : member.role
  return given === "owner" ? given : (roleOf(roles, groups) ?? given ?? defaultRole ?? undefined)
}

/** Whether an identity provider made the membership, and may end it. */
export const isProvisioned = ({ source }: { readonly source: MemberSource }): boolean =>
  source === "sso" || source === "scim"

/** The domain of an e-mail address, in lower case. */
export const domainOf = (email: string): string =>
  normalizeEmail(email).slice(normalizeEmail(email).lastIndexOf("@") + 1)

/** The assertions of an identity provider about a person. */
export interface Identity {
  /** Never changes for a person, and is never given to another one, within one identity provider. */
  readonly subject: string
  readonly email?: string | undefined
  /** Absent when the identity provider does not say. */
  readonly emailVerified?: boolean | undefined
  readonly name?: string | undefined
  readonly groups: ReadonlyArray<string>
}

const maxSubject = 1024

/** Why a text of an identity provider is neither stored nor compared: a part of a sentence; undefined when it can be. */
const textProblem = (text: string, longest: number): string | undefined => {
  if (text.length > longest) return `is longer than ${longest} characters`
  if (/\p{Cc}/u.test(text)) return "contains control characters"
  return text.isWellFormed() ? undefined : "contains half characters (lone surrogates)"
}

/** Why an identity cannot be used, whomever it is about, as one sentence; undefined when it can. */
export const identityProblem = ({ email = "", groups, name = "", subject }: Identity): string | undefined => {
  const texts: ReadonlyArray<readonly [what: string, text: string, longest: number]> = [
    ["identifier of the person", subject, maxSubject],
    ["e-mail address", email, 1024],
    ["name", name, 4096],
    ...groups.map((group) => ["name of a group", group, 4096] as const)
  ]
  if (subject === "") return "The identity provider sent no identifier of the person."
  for (const [what, text, longest] of texts) {
    const problem = textProblem(text, longest)
    if (problem !== undefined)
      return `The ${what} that the identity provider sent ${problem}. It has to be changed there.`
  }
  return undefined
}

/** The scope in which an identity provider is trusted. */
export type Trust =
  /** The operator chose it. `unstated`: an address counts as verified where it does not say. */
  | { readonly _tag: "Installation"; readonly unstated: boolean }
  /** An organization chose it; it speaks for the domains that the organization has proven. */
  | { readonly _tag: "Organization"; readonly domains: ReadonlyArray<string> }

/** An account that the identity may mean. */
export interface Candidate {
  readonly email: string
  readonly emailVerified: boolean
  readonly hasPassword: boolean
}

export type RefusalReason = "no_email" | "email_not_ascii" | "email_not_verified" | "domain_not_proven"

/** To which account an identity signs in. */
export type Admission =
  /** To the account that it was connected to before. */
  | { readonly _tag: "SignIn" }
  /** To the account with its address, which is connected to it from now on. */
  | { readonly _tag: "Connect" }
  /** To a new account. */
  | { readonly _tag: "Create"; readonly email: string }
  /**
   * An account has the address but never verified it, so a stranger may have created it. The password proves that both
   * are the same person.
   */
  | { readonly _tag: "AskPassword" }
  | { readonly _tag: "Refuse"; readonly reason: RefusalReason }

const refuse = (reason: RefusalReason): Admission => ({ _tag: "Refuse", reason })

/** Decides by the account that is connected already, or else by the one with the same address. */
export const admit = (
  identity: Identity,
  trust: Trust,
  {
    connected,
    sameAddress
  }: { readonly connected?: Candidate | undefined; readonly sameAddress?: Candidate | undefined }
): Admission => {
  const email = normalizeEmail(identity.email ?? "")
  if (!isAscii(email)) return refuse("email_not_ascii")
  if (!isEmailAddress(email)) return refuse("no_email")
  // Even of an own domain: the person may have entered any address there.
  if (identity.emailVerified === false) return refuse("email_not_verified")
  if (trust._tag === "Organization") {
    const isProven = (address: string): boolean => trust.domains.includes(domainOf(address))
    if (!isProven(email)) return refuse("domain_not_proven")
    // A domain that was given up takes the accounts with it.
    if (connected !== undefined && !isProven(connected.email)) return refuse("domain_not_proven")
  } else if (identity.emailVerified === undefined && !trust.unstated) return refuse("email_not_verified")
  if (connected !== undefined) return { _tag: "SignIn" }
  if (sameAddress === undefined) return { _tag: "Create", email }
  return !sameAddress.emailVerified && sameAddress.hasPassword ? { _tag: "AskPassword" } : { _tag: "Connect" }
}
