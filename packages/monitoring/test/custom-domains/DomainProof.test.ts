import { assert, describe, it } from "@effect/vitest"
import { ResolveFailed, Resolver } from "@kanmon/core/Resolver"
import { ProjectId } from "@kanmon/domain/Ids"
import { Effect } from "effect"
import { isNeeded, look, recordsOf } from "../../src/custom-domains/DomainProof.ts"

const domain = "status.acme.example"
const projectId = ProjectId.make("prj_01JD")
const open = { reserved: ["kanmon.example.org"], pagesDomain: undefined, trusted: false }
const closed = { ...open, trusted: true }

/** Looks at a zone that has these TXT values, or that fails like this. */
const seen = (found: ReadonlyArray<string> | ResolveFailed["reason"]) =>
  look(domain, projectId).pipe(
    Effect.provideService(
      Resolver,
      Resolver.of({
        records: (name, type) =>
          name !== `_kanmon-challenge.${domain}` || type !== "TXT"
            ? Effect.die(`asked for ${type} ${name}`)
            : typeof found === "string"
              ? Effect.fail(new ResolveFailed({ reason: found, message: "no answer" }))
              : Effect.succeed(found),
        addresses: () => Effect.die("not asked")
      })
    ),
    Effect.map(({ _tag }) => _tag)
  )

describe("the proof of a custom domain", () => {
  it.effect("is a TXT value that names the project, next to any other values", () =>
    Effect.gen(function* () {
      for (const values of [[projectId], ["v=spf1 -all", ` ${projectId} `], [`"${projectId}"`]])
        assert.strictEqual(yield* seen(values), "Given")
      for (const values of [[], ["prj_other"], [`${projectId}x`], [`x ${projectId}`], [projectId.toLowerCase()]])
        assert.strictEqual(yield* seen(values), "Missing")
    })
  )

  it.effect("is missing without a record, and unknown without a response", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* seen("dns_nxdomain"), "Missing")
      assert.strictEqual(yield* seen("dns_no_records"), "Missing")
      assert.strictEqual(yield* seen("dns_servfail"), "Unanswered")
      assert.strictEqual(yield* seen("resolver_unavailable"), "Unknown")
    })
  )

  it("is needed unless a CNAME record leads here and strangers cannot sign up", () => {
    assert.isTrue(isNeeded(domain, true, open))
    assert.isTrue(isNeeded(domain, false, open))
    assert.isFalse(isNeeded(domain, true, closed))
    assert.isTrue(isNeeded(domain, false, closed))
    // The owner of this zone controls the installation's name, so a CNAME record alone is no proof.
    assert.isTrue(isNeeded("example.org", true, closed))
  })

  it("is listed among the records to create where it is needed", () => {
    const types = (name: string, policy: typeof open) =>
      recordsOf(name, projectId, "pages.kanmon.example", policy).map(({ name, type, value }) => [type, name, value])
    const cname = ["CNAME", domain, "pages.kanmon.example"]
    const txt = ["TXT", `_kanmon-challenge.${domain}`, projectId]
    assert.deepStrictEqual(types(domain, open), [cname, txt])
    assert.deepStrictEqual(types(domain, closed), [cname])
    assert.deepStrictEqual(types("acme.example", closed), [
      ["ALIAS", "acme.example", "pages.kanmon.example"],
      ["TXT", "_kanmon-challenge.acme.example", projectId]
    ])
  })
})
