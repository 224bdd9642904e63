/** Which account an identity signs in to, and which role its groups give. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { includes, roles } from "../src/Role.ts"
import {
  admit,
  type Candidate,
  domainOf,
  type Identity,
  identityProblem,
  roleAfter,
  roleOf,
  type Trust
} from "../src/SingleSignOn.ts"

const emails = fc.constantFrom(
  "ada@example.com",
  "ADA@Example.com",
  "bob@other.example",
  "eve@example.com.evil.example"
)
const identities: fc.Arbitrary<Identity> = fc.record({
  subject: fc.string(),
  email: fc.option(fc.oneof(emails, fc.string()), { nil: undefined }),
  emailVerified: fc.option(fc.boolean(), { nil: undefined }),
  groups: fc.array(fc.string())
})
const candidates: fc.Arbitrary<Candidate | undefined> = fc.option(
  fc.record({ email: emails, emailVerified: fc.boolean(), hasPassword: fc.boolean() }),
  { nil: undefined }
)
const domains = fc.subarray(["example.com", "other.example"])
const trusts: fc.Arbitrary<Trust> = fc.oneof(
  fc.record({ _tag: fc.constant("Installation" as const), unstated: fc.boolean() }),
  fc.record({ _tag: fc.constant("Organization" as const), domains })
)

describe("identityProblem", () => {
  const identity = { subject: "1", email: "ada@example.com", name: "Ada", groups: ["sre"] }

  it("accepts what people are called", () => {
    for (const name of ["Ada", "Zoë 😀", "李", "O'Neil", ""]) assert.isUndefined(identityProblem({ ...identity, name }))
  })

  it.each([
    { subject: "" },
    { subject: "a\u0000" },
    { email: "a\uD800" },
    { name: "a\n" },
    { groups: ["a", "\uDFFF"] }
  ])("refuses %j in a sentence", (change) => {
    assert.match(identityProblem({ ...identity, ...change }) ?? "", /^The .+\.$/)
  })
})

describe("admit", () => {
  it("never lets an organization sign in to an address of a domain that it has not proven", () => {
    fc.assert(
      fc.property(identities, domains, candidates, candidates, (identity, domains, connected, sameAddress) => {
        const decision = admit(identity, { _tag: "Organization", domains }, { connected, sameAddress })
        if (decision._tag === "Refuse") return
        assert.include(domains, domainOf(identity.email!))
        if (decision._tag === "SignIn") assert.include(domains, domainOf(connected!.email))
      })
    )
  })

  it("never admits an address that the provider calls unverified, or none", () => {
    fc.assert(
      fc.property(identities, trusts, candidates, candidates, (identity, trust, connected, sameAddress) => {
        const decision = admit(identity, trust, { connected, sameAddress })
        if (identity.emailVerified === false || identity.email === undefined)
          assert.strictEqual(decision._tag, "Refuse")
      })
    )
  })

  it("asks for the password before it connects an unverified account", () => {
    fc.assert(
      fc.property(identities, trusts, candidates, (identity, trust, sameAddress) => {
        const decision = admit(identity, trust, { sameAddress })
        if (sameAddress !== undefined && !sameAddress.emailVerified && sameAddress.hasPassword)
          assert.include(["Refuse", "AskPassword"], decision._tag)
      })
    )
  })

  it("takes the word of the installation's provider only where it says that the address is verified", () => {
    const identity = { subject: "1", email: "ada@example.com", groups: [] }
    const trust = (unstated: boolean): Trust => ({ _tag: "Installation", unstated })
    assert.deepStrictEqual(admit(identity, trust(false), {}), { _tag: "Refuse", reason: "email_not_verified" })
    assert.deepStrictEqual(admit(identity, trust(true), {}), { _tag: "Create", email: "ada@example.com" })
  })
})

const mappings = fc.array(fc.record({ group: fc.constantFrom("*", "a", "b", "c"), role: fc.constantFrom(...roles) }))
const groups = fc.subarray(["a", "b", "c", "d"])
const role = fc.constantFrom(...roles)

describe("roleAfter", () => {
  const others = fc.option(role, { nil: null })
  const given = fc.record({ role, source: fc.constantFrom("founder" as const, "invitation" as const) })
  const provisioned = fc.record({ role, source: fc.constantFrom("sso" as const, "scim" as const) })

  it("follows the groups, and gives others the role for others, where no person gave one", () => {
    fc.assert(
      fc.property(
        mappings,
        others,
        groups,
        fc.option(provisioned, { nil: undefined }),
        (roles, defaultRole, own, member) =>
          assert.strictEqual(
            roleAfter({ roles, defaultRole }, own, member),
            roleOf(roles, own) ?? defaultRole ?? undefined
          )
      )
    )
  })

  it("keeps a role that a person gave unless a group gives another one, and owners always", () => {
    fc.assert(
      fc.property(mappings, others, groups, given, (roles, defaultRole, own, member) =>
        assert.strictEqual(
          roleAfter({ roles, defaultRole }, own, member),
          member.role === "owner" ? "owner" : (roleOf(roles, own) ?? member.role)
        )
      )
    )
  })
})

describe("roleOf", () => {
  it("gives the highest role of all groups, and never one that no group gives", () => {
    fc.assert(
      fc.property(mappings, groups, (mapping, groups) => {
        const given = mapping.filter(({ group }) => group === "*" || groups.includes(group))
        const role = roleOf(mapping, groups)
        if (role === undefined) return assert.isEmpty(given)
        assert.isTrue(given.some((one) => one.role === role))
        assert.isTrue(given.every((one) => includes(role, one.role)))
      })
    )
  })
})
