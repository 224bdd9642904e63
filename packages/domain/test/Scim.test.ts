/** Filters, changes and bodies of SCIM. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { emailOf, isFields, nameOf, projected, readGroup, readUser, type ScimRefused } from "../src/Scim.ts"
import { equalTo, matches, parse, type ScimFilter } from "../src/ScimFilter.ts"
import { apply } from "../src/ScimPatch.ts"

const filterOf = (text: string): ScimFilter => {
  const parsed = parse(text)
  if (Result.isFailure(parsed)) throw new Error(`${text}: ${parsed.failure.detail}`)
  return parsed.success
}

const refusal = <A>(result: Result.Result<A, ScimRefused>): ScimRefused => {
  if (Result.isSuccess(result)) throw new Error(`Expected a refusal: ${JSON.stringify(result.success)}`)
  return result.failure
}

const ben = {
  userName: "Ben@Example.com",
  externalId: "00uA",
  active: true,
  name: { givenName: "Ben", familyName: "Okafor" },
  emails: [
    { value: "ben@example.com", type: "work", primary: true },
    { value: "ben@home.example", type: "home" }
  ],
  meta: { lastModified: "2026-11-20T08:30:00.000Z" }
}

/** JSON as a stranger can send it, with names that mean something to JavaScript. */
const hostileName = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty")
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(hostileName, fc.constantFrom("userName", "emails", "value", "active", "Operations")),
          tie("json")
        ),
        {
          maxLength: 4
        }
      )
      .map((pairs) =>
        JSON.parse(`{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`)
      )
  )
}))

const isUnpolluted = (): void => {
  assert.deepStrictEqual(Object.keys(Object.prototype), [])
  for (const name in {}) assert.fail(`Object.prototype has ${name}`)
}

describe("a filter", () => {
  it.each([
    ['userName eq "ben@example.com"', true],
    ['USERNAME Eq "BEN@example.com"', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ben@example.com"', true],
    ['userName eq "other"', false],
    ['externalId eq "00ua"', false],
    ['externalId eq "00uA"', true],
    ["active eq True", true],
    ["active eq false", false],
    ['name.familyName sw "oka"', true],
    ['emails co "home"', true],
    ['emails.value eq "ben@example.com" and active eq true', true],
    ['emails[type eq "work" and value ew "@example.com"]', true],
    ['emails[type eq "work" and value ew "@home.example"]', false],
    ['emails[type eq "work"].value eq "ben@example.com"', true],
    ['emails[type eq "home"].value eq "ben@example.com"', false],
    ['not (userName eq "other")', true],
    ["not(userName pr)", false],
    ['userName eq "x" or active eq true and name.givenName eq "ben"', true],
    ['(userName eq "x" or active eq true) and name.givenName eq "cleo"', false],
    ["title pr", false],
    ['title ne "x"', true],
    ['meta.lastModified gt "2026-11-20T09:00:00+01:00"', true],
    ['meta.lastModified ge "2026-11-21T00:00:00Z"', false],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"', false],
    ["title eq null", true],
    [String.raw`userName eq "a\"b"`, false]
  ])("holds or does not: %s", (text, expected) => {
    assert.strictEqual(matches(filterOf(text), ben), expected)
  })

  it.each([
    "",
    "userName",
    "userName eq",
    "userName eq ben",
    'userName is "ben"',
    'userName eq "ben" and',
    'userName eq "ben" userName eq "x"',
    '(userName eq "ben"',
    'userName eq "ben")',
    'emails[type eq "work"',
    "userName eq [1]",
    '__proto__ eq "x"',
    "not userName pr",
    "'; DROP TABLE scim_users; --",
    'userName eq "\u0000"',
    `${"(".repeat(5000)}userName pr${")".repeat(5000)}`,
    `${"(".repeat(21)}userName pr${")".repeat(21)}`,
    `userName pr${" or userName pr".repeat(300)}`
  ])("cannot be read: %s", (text) => {
    assert.strictEqual(refusal(parse(text)).scimType, "invalidFilter")
  })

  it("finds exactly the texts that it quotes, with any characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        fc.pre(!one.includes("\u0000") && one.length < 1000)
        const filter = filterOf(`userName eq ${JSON.stringify(one)}`)
        assert.strictEqual(equalTo(filter, "userName"), one)
        assert.strictEqual(matches(filter, { userName: other }), one.toLowerCase() === other.toLowerCase())
        assert.isTrue(matches(filter, { USERNAME: one }))
      })
    )
  })

  it("is true or false of anything, or refused, and changes nothing", () => {
    const words = fc.constantFrom(
      "userName",
      "emails",
      "[",
      "]",
      "(",
      ")",
      "eq",
      "and",
      "or",
      "not",
      "pr",
      '"x"',
      "true",
      "constructor"
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), json, (parts, resource) => {
        const parsed = parse(parts.join(" "))
        if (Result.isSuccess(parsed)) assert.isBoolean(matches(parsed.success, resource))
        else assert.strictEqual(parsed.failure.status, 400)
        isUnpolluted()
      })
    )
  })
})

const patched = (resource: Readonly<Record<string, unknown>>, ...Operations: ReadonlyArray<object>) => {
  const result = apply(resource, { schemas: [], Operations })
  if (Result.isFailure(result)) throw new Error(result.failure.detail)
  return result.success
}
const refusedPatch = (...Operations: ReadonlyArray<object>) => refusal(apply(ben, { Operations }))

describe("a change", () => {
  it("follows what Entra ID sends", () => {
    const off = patched(ben, { op: "Replace", path: "active", value: "False" })
    assert.isFalse(Result.getOrThrow(readUser(off)).active)
    const moved = patched(ben, { op: "Replace", path: 'emails[type eq "work"].value', value: "b@example.com" })
    assert.strictEqual(emailOf(Result.getOrThrow(readUser(moved))), "b@example.com")
    const fresh = patched(
      { userName: "x" },
      { op: "Add", path: 'emails[type eq "work"].value', value: "x@example.com" }
    )
    assert.deepStrictEqual(fresh["emails"], [{ type: "work", value: "x@example.com" }])
    const pathless = patched(ben, {
      op: "Replace",
      value: {
        "name.givenName": "Benjamin",
        displayName: "Benjamin",
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department": "IT",
        "urn:ietf:params:scim:schemas:core:2.0:User": { externalId: "x" }
      }
    })
    const read = Result.getOrThrow(readUser(pathless))
    assert.deepInclude(read, { displayName: "Benjamin", externalId: "x" })
    assert.deepStrictEqual(read.name, { givenName: "Benjamin", familyName: "Okafor" })
  })

  it("adds and removes members in every form that providers use", () => {
    const group = { displayName: "sre", members: [{ value: "a" }, { value: "b" }, { value: "c" }] }
    const ids = (...operations: ReadonlyArray<object>) =>
      Result.getOrThrow(readGroup(patched(group, ...operations))).members.map(({ value }) => value)
    assert.deepStrictEqual(ids({ op: "add", path: "members", value: [{ value: "b" }, { value: "d" }] }), [
      "a",
      "b",
      "c",
      "d"
    ])
    assert.deepStrictEqual(ids({ op: "add", path: "members", value: { value: "d" } }), ["a", "b", "c", "d"])
    assert.deepStrictEqual(ids({ op: "Add", value: { members: [{ value: "d" }] } }), ["a", "b", "c", "d"])
    assert.deepStrictEqual(ids({ op: "remove", path: 'members[value eq "b"]' }), ["a", "c"])
    assert.deepStrictEqual(ids({ op: "Remove", path: "members", value: [{ value: "a" }, { value: "x" }] }), ["b", "c"])
    assert.deepStrictEqual(ids({ op: "remove", path: "members" }), [])
    assert.deepStrictEqual(ids({ op: "replace", path: "members", value: [{ value: "z" }] }), ["z"])
    // Okta sends the identifier along.
    const renamed = patched(group, { op: "replace", value: { id: "grp_1", displayName: "ops" } })
    assert.deepInclude(renamed, { displayName: "ops" })
    assert.notProperty(renamed, "id")
  })

  it("keeps one primary address", () => {
    const added = patched(ben, { op: "add", path: "emails", value: [{ value: "new@example.com", primary: true }] })
    assert.strictEqual(emailOf(Result.getOrThrow(readUser(added))), "new@example.com")
  })

  it("is refused by the name of what is wrong", () => {
    assert.strictEqual(refusedPatch({ op: "copy", path: "active", value: 1 }).scimType, "invalidSyntax")
    assert.strictEqual(refusedPatch({ op: "remove" }).scimType, "noTarget")
    assert.strictEqual(refusedPatch({ op: "add", path: "active" }).scimType, "invalidValue")
    assert.strictEqual(refusedPatch({ op: "add", value: "x" }).scimType, "invalidValue")
    assert.strictEqual(refusedPatch({ op: "replace", path: "id", value: "x" }).scimType, "mutability")
    assert.strictEqual(refusedPatch({ op: "replace", path: "emails[type eq", value: "x" }).scimType, "invalidPath")
    assert.strictEqual(
      refusedPatch({ op: "replace", path: 'emails[value co "q"].type', value: "x" }).scimType,
      "noTarget"
    )
    for (const path of ["__proto__", "__proto__.polluted", "name.__proto__", "constructor.prototype.x", "a.b.c"])
      assert.strictEqual(refusedPatch({ op: "add", path, value: { polluted: 1 } }).scimType, "invalidPath", path)
    assert.strictEqual(refusal(apply(ben, {})).scimType, "invalidSyntax")
    assert.strictEqual(
      refusal(apply(ben, { Operations: Array.from({ length: 501 }, () => ({ op: "remove", path: "x" })) })).status,
      400
    )
  })

  it("never changes what it is given, nor what all objects share", () => {
    const path = fc.oneof(
      fc.constantFrom("active", "emails", 'emails[type eq "work"].value', "name.givenName", "members", "toString"),
      hostileName,
      fc.string()
    )
    const operation = fc.record(
      { op: fc.constantFrom("add", "Replace", "remove"), path, value: json },
      { requiredKeys: ["op"] }
    )
    const frozen = Object.freeze({
      ...ben,
      emails: Object.freeze(ben.emails.map(Object.freeze)),
      name: Object.freeze(ben.name)
    })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 5 }), (Operations) => {
        const result = apply(frozen as never, { Operations })
        if (Result.isSuccess(result)) {
          assert.isTrue(isFields(result.success))
          // The result is a user, or refused.
          const read = readUser(result.success)
          if (Result.isSuccess(read)) assert.isBoolean(read.success.active)
        } else assert.strictEqual(result.failure.status, 400)
        isUnpolluted()
      })
    )
  })
})

describe("a body", () => {
  it("is read in any case of its names, without unknown or empty fields", () => {
    const user = Result.getOrThrow(
      readUser({
        USERNAME: "ada@example.com",
        displayname: "",
        externalID: null,
        Active: "True",
        nickName: "Countess",
        emails: [{ Value: "Ada@Example.com", Primary: "true" }, { type: "home" }]
      })
    )
    assert.deepStrictEqual(user, {
      userName: "ada@example.com",
      active: true,
      emails: [{ value: "Ada@Example.com", primary: true }]
    })
    assert.strictEqual(emailOf(user), "ada@example.com")
    assert.strictEqual(nameOf(user), "ada@example.com")
  })

  it("names every field that is wrong", () => {
    const { detail, scimType } = refusal(readUser({ userName: 5, active: "maybe", emails: [{ value: {} }] }))
    assert.strictEqual(scimType, "invalidValue")
    for (const path of ["userName", "active", "emails[0].value"]) assert.include(detail, path)
    assert.include(refusal(readGroup({ members: [{ value: "a" }] })).detail, "displayName")
  })

  it("is read or refused in any shape", () => {
    fc.assert(
      fc.property(json, (body) => {
        for (const read of [readUser, readGroup]) {
          const result: Result.Result<unknown, ScimRefused> = read(body)
          if (Result.isFailure(result)) assert.strictEqual(result.failure.status, 400)
        }
        isUnpolluted()
      })
    )
  })

  it("is shown with the attributes that were asked for", () => {
    const resource = { schemas: ["s"], id: "1", ...ben }
    const shown = (attributes: ReadonlyArray<string>, excluded: ReadonlyArray<string> = []) =>
      projected(resource, { attributes, excluded })
    assert.deepStrictEqual(shown(["username"]), { schemas: ["s"], id: "1", userName: "Ben@Example.com" })
    assert.deepStrictEqual(shown(["emails.type"])["emails"], [{ type: "work" }, { type: "home" }])
    assert.deepStrictEqual(shown(["urn:ietf:params:scim:schemas:core:2.0:User:name.givenName"])["name"], {
      givenName: "Ben"
    })
    assert.notProperty(shown([], ["Emails", "id"]), "emails")
    assert.property(shown([], ["Emails", "id"]), "id")
  })
})
