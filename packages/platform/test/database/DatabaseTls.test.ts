/** How the TLS of `DATABASE_URL` is read, and that its errors keep its secrets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { read } from "../../src/database/DatabaseTls.ts"

const base = "postgres://kanmon:s3cret@db.example:5432/kanmon"

describe("DATABASE_URL", () => {
  for (const [query, mode, verifies, optional] of [
    ["", "disable", undefined, false],
    ["?sslmode=disable", "disable", undefined, false],
    ["?sslmode=allow", "allow", false, true],
    ["?sslmode=prefer&application_name=x", "prefer", false, true],
    ["?sslmode=require", "require", false, false],
    ["?sslmode=verify-full", "verify-full", true, false],
    ["?sslmode=verify-full&sslrootcert=system", "verify-full", true, false],
    ["?sslmode=verify-full&host=/run/postgresql", "verify-full", undefined, false]
  ] as const) {
    it.effect(`reads ${query === "" ? "no parameters" : query}`, () =>
      Effect.map(read(Redacted.make(base + query)), (tls) => {
        assert.deepStrictEqual(
          {
            mode: tls.mode,
            verifies: tls.ssl === false ? undefined : tls.ssl.rejectUnauthorized,
            optional: tls.optional
          },
          { mode, verifies, optional }
        )
        // The name is only left out where libpq leaves it out.
        if (tls.ssl !== false) assert.isUndefined(tls.ssl.checkServerIdentity)
      })
    )
  }

  for (const [why, url, words] of [
    ["no address", "s3cret", "expected postgres://"],
    ["another address", "mysql://me:s3cret@db/kanmon", "begins with postgres://"],
    ["an unknown mode", `${base}?sslmode=s3cret`, "expected one of disable, allow"],
    ["an unknown parameter of TLS", `${base}?sslmode=require&sslcrl=/s3cret`, "sslcrl is not understood"],
    ["what others call it", `${base}?ssl=true`, "sslmode=require"],
    ["an empty parameter", `${base}?sslmode=`, "sslmode is empty"],
    ["certificates without a mode", `${base}?sslrootcert=/ca.pem`, "sslmode is missing"],
    ["verify-ca without a root", `${base}?sslmode=verify-ca`, "needs sslrootcert"],
    ["a certificate without its key", `${base}?sslmode=require&sslcert=/c.pem`, "only good together"],
    [
      "a root that is not there",
      `${base}?sslmode=verify-ca&sslrootcert=/nowhere/ca.pem`,
      "there is no file /nowhere/ca.pem"
    ],
    [
      "a root that is none",
      `${base}?sslmode=require&sslrootcert=${import.meta.filename}`,
      "holds no certificate in PEM"
    ]
  ] as const) {
    it.effect(`refuses ${why}, in one line and without quoting secrets`, () =>
      Effect.map(Effect.flip(read(Redacted.make(url))), ({ message }) => {
        assert.match(message, /^DATABASE_URL: .+$/)
        assert.include(message, words)
        assert.notInclude(message, "s3cret")
      })
    )
  }
})
