import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Digest from "../src/Digest.ts"

/** RFC 7616, section 3.9.1. */
const rfc = {
  method: "GET",
  uri: "/dir/index.html",
  username: "Mufasa",
  password: "Circle of Life",
  cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
  count: 1
}
const offer = (algorithm: string): string =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`

const responseOf = (header: string): string => /response="([^"]*)"/.exec(header)![1]!

describe("digest authentication", () => {
  it.each([
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"]
  ])("answers the %s challenge of RFC 7616", (algorithm, response) => {
    const header = Digest.authorization(Digest.challengeOf([offer(algorithm)])!, rfc)
    assert.strictEqual(responseOf(header), response)
    assert.include(header, 'username="Mufasa"')
    assert.include(header, "qop=auth, nc=00000001")
    assert.include(header, 'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"')
  })

  it("hashes the user name and uses SHA-512-256 as RFC 7616, section 3.9.2, without its charset errata", () => {
    const challenge = Digest.challengeOf([
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true'
    ])!
    const header = Digest.authorization(challenge, {
      ...rfc,
      username: "J\u00e4s\u00f8n Doe",
      password: "Secret, or not?"
    })
    assert.include(header, "userhash=true")
    assert.include(
      header,
      `username="${createHash("sha512-256").update("J\u00e4s\u00f8n Doe:api@example.org").digest("hex")}"`
    )
  })

  it("answers a challenge without qop as RFC 2069", () => {
    const md5 = (text: string) => createHash("md5").update(text).digest("hex")
    const header = Digest.authorization(Digest.challengeOf(['Digest realm="r", nonce="n"'])!, rfc)
    const expected = md5(`${md5("Mufasa:r:Circle of Life")}:n:${md5("GET:/dir/index.html")}`)
    assert.strictEqual(responseOf(header), expected)
    assert.notInclude(header, "cnonce")
  })

  it("prefers the strongest algorithm of several challenges, in one header or in many", () => {
    const both = ["MD5", "SHA-256"].map(offer)
    assert.strictEqual(Digest.challengeOf(both)?.algorithm, "SHA-256")
    assert.strictEqual(Digest.challengeOf([both.join(", ")])?.algorithm, "SHA-256")
    assert.strictEqual(Digest.challengeOf([`Basic realm="a, Digest b", ${offer("MD5-sess")}`])?.algorithm, "MD5-sess")
  })

  it.each([
    ["no header", []],
    ["another scheme", ['Basic realm="x"', "Negotiate", "Bearer error=invalid_token"]],
    ["an unknown algorithm", [offer("SHA3-512")]],
    ["only auth-int", ['Digest realm="r", nonce="n", qop="auth-int"']],
    ["no nonce", ['Digest realm="r", qop="auth"']]
  ])("has no answer to %s", (_what, headers) => assert.isUndefined(Digest.challengeOf(headers)))

  it("writes a user name outside ASCII in its extended notation", () =>
    assert.include(
      Digest.authorization(Digest.challengeOf([offer("MD5")])!, { ...rfc, username: "Jäs'n" }),
      "username*=UTF-8''J%C3%A4s%27n"
    ))

  it("reads back any realm and nonce, and never throws on any header", () => {
    const printable = fc.stringMatching(/^[\x20-\x7e]{0,40}$/)
    fc.assert(
      fc.property(printable, printable, (realm, nonce) => {
        const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
        const challenge = Digest.challengeOf([`Digest realm=${quoted(realm)},nonce=${quoted(nonce)},stale=TRUE`])
        assert.deepInclude(challenge!, { realm, nonce, stale: true })
      })
    )
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void Digest.challengeOf([`Digest ${text}`])))
  })

  it("reads a header in linear time", () => {
    // In quadratic time it would take hours.
    const many = 3_000_000
    Digest.challengeOf([`Digest a=${'"\\'.repeat(many)}`, `Digest ${" ,".repeat(many)}`, "a ".repeat(many)])
  })
})
