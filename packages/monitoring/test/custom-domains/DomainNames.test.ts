import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isAboveOwn, isApex, refusal, registrable } from "../../src/custom-domains/DomainNames.ts"

const own = {
  reserved: ["kanmon.example.org", "pages.kanmon.example.org", "alias.example.net"],
  pagesDomain: "on.example.com"
}

describe("the name of a custom domain", () => {
  it.each([
    "kanmon.example.org",
    "login.kanmon.example.org",
    "login.pages.kanmon.example.org",
    "alias.example.net",
    "a.b.alias.example.net",
    "on.example.com",
    "shop.on.example.com"
  ])("is not %s, which belongs to the installation", (name) =>
    assert.include(refusal(name, own), "belongs to this installation")
  )

  it.each(["co.uk", "com", "xn--p1ai"])("is not %s, under which others register", (name) =>
    assert.include(refusal(name, own), "public suffix")
  )

  it.each(["app.localhost", "localhost"])("is not %s, which is the visitor's own computer", (name) =>
    assert.include(refusal(name, own), "own computer")
  )

  it.each(["example.org", "status.example.org", "notkanmon.example.org", "example.net", "acme.github.io", "github.io"])(
    "may be %s",
    (name) => assert.isUndefined(refusal(name, own))
  )

  it("is refused with everything below it", () => {
    const labels = fc.array(fc.stringMatching(/^[a-z0-9]{1,10}$/), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        labels,
        fc.constantFrom("kanmon.example.org", "alias.example.net", "on.example.com"),
        (above, name) => {
          assert.isDefined(refusal([...above, name].join("."), own))
          // Another name that merely ends alike is somebody else's.
          assert.isUndefined(refusal(`${above.join(".")}x${name}`, own))
        }
      )
    )
  })

  it("is above the installation's own, or is not", () => {
    for (const name of ["example.org", "example.net", "example.com", "kanmon.example.org"])
      assert.isTrue(isAboveOwn(name, own), name)
    for (const name of ["status.example.org", "ample.org"]) assert.isFalse(isAboveOwn(name, own), name)
  })

  it("has its top where the public suffix list says", () => {
    assert.isTrue(isApex("example.co.uk"))
    assert.isFalse(isApex("status.example.co.uk"))
    assert.strictEqual(registrable("a.b.example.co.uk"), "example.co.uk")
    assert.strictEqual(registrable("status.acme.internal"), "acme.internal")
  })
})
