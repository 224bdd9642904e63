/** Checks that a name has a record, or a certain one. */
import * as Check from "@kanmon/core/Check"
import { Hostname } from "@kanmon/core/Hostname"
import * as Plugin from "@kanmon/core/Plugin"
import { Resolver } from "@kanmon/core/Resolver"
import { Effect, Schema } from "effect"
import { expectationProblem, matches } from "./Records.ts"

const server = /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|\[[0-9a-f:.]+\](:\d{1,5})?|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)$/i

const config = Schema.Struct({
  hostname: Hostname.annotate({ description: "Name to look up" }),
  recordType: Schema.Literals(["A", "AAAA", "CNAME", "MX", "TXT"])
    .annotate({ description: "Kind of record" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("A" as const))),
  expectedValue: Schema.optionalKey(
    Schema.NonEmptyString.check(Schema.isMaxLength(4096)).annotate({
      description: "Value one of the records must have; without it any record passes"
    })
  ),
  resolver: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(server, { message: "Expected ip or ip:port, and [v6]:port for IPv6" })
    ).annotate({
      description: "Name server to ask, ip or ip:port; the probe's own by default"
    })
  )
})

const dns = Check.define({
  type: "dns",
  summary: "Looks up a record of a name.",
  config,
  example: { hostname: "example.org", recordType: "MX", expectedValue: "10 mail.example.org" },
  defaults: { timeout: 10 },
  validate: ({ expectedValue, recordType }) => {
    const problem = expectedValue === undefined ? null : expectationProblem(recordType, expectedValue)
    return problem === null ? [] : [{ path: "expectedValue", message: problem }]
  },
  host: ({ hostname, resolver }) => resolver ?? hostname,
  target: ({ hostname, recordType }) => `${recordType} ${hostname}`,
  run: Effect.fnUntraced(function* ({ expectedValue, hostname, recordType, resolver }, attempt) {
    const names = yield* Resolver
    attempt.stage("dns")
    const began = performance.now()
    const records = yield* names.records(hostname, recordType, resolver).pipe(
      Effect.mapError(
        ({ message, reason }) =>
          new Check.CheckFailed({
            status: reason === "resolver_unavailable" ? "unknown" : "down",
            code: reason,
            message
          })
      )
    )
    const took = Math.round((performance.now() - began) * 100) / 100
    const measured = { responseTime: took, timing: { dns: took }, facts: { records: records.slice(0, 50) } }
    if (expectedValue === undefined || records.some((record) => matches(recordType, record, expectedValue)))
      return measured
    return yield* new Check.CheckFailed({
      status: "down",
      code: "dns_mismatch",
      message: `${hostname} has the ${recordType} record ${records.slice(0, 3).join(", ")}; expected ${expectedValue}`,
      ...measured
    })
  })
})

export default Plugin.define({ name: "@kanmon/check-dns", contract: 1, checks: [dns] })
