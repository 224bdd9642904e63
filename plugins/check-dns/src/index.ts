/** Checks that a name has a record, optionally with a certain value. */
import * as Check from "@kanmon/core/Check"
import * as Plugin from "@kanmon/core/Plugin"
import { Resolver } from "@kanmon/core/Resolver"
import { reason as why } from "@kanmon/domain/Reason"
import { Effect } from "effect"
import { DnsConfig, validate } from "./DnsConfig.ts"
import { missing, shown } from "./Records.ts"

const maxRecords = 50

const dns = Check.define({
  type: "dns",
  title: "DNS",
  summary: "Looks up a DNS record.",
  config: DnsConfig,
  example: { hostname: "example.org", recordType: "MX", expectedValue: "10 mail.example.org" },
  defaults: { timeout: 10 },
  validate,
  host: ({ hostname, resolver }) => resolver ?? hostname,
  // The name's own address matters only for address records.
  reaches: ({ hostname, recordType, resolver }) => [
    ...(resolver === undefined ? [] : [resolver]),
    ...(resolver === undefined && (recordType === "A" || recordType === "AAAA") ? [hostname] : [])
  ],
  target: ({ hostname, recordType }) => `${recordType} ${hostname}`,
  run: Effect.fnUntraced(function* ({ hostname, recordType, resolver, ...expected }, attempt) {
    const names = yield* Resolver
    attempt.stage("dns")
    const began = performance.now()
    const records = yield* names.records(hostname, recordType, resolver).pipe(
      Effect.mapError(
        ({ explanation, message, reason }) =>
          new Check.CheckFailed({
            status: reason === "resolver_unavailable" ? "unknown" : "down",
            code: reason,
            message,
            explanation
          })
      )
    )
    const took = Math.round((performance.now() - began) * 100) / 100
    const facts = { records: records.slice(0, maxRecords).map(shown) }
    const measured = { responseTime: took, timing: { dns: took }, facts }
    if (records.length === 0) {
      return yield* new Check.CheckFailed({
        status: "down",
        code: "dns_no_records",
        ...why("no_record", { host: hostname, type: recordType }),
        ...measured
      })
    }
    const problem = missing(recordType, records, expected)
    if (problem === undefined) return measured
    const found = records.slice(0, 3).map(shown).join(", ")
    return yield* new Check.CheckFailed({
      status: "down",
      code: "dns_mismatch",
      ...why("record_mismatch", { host: hostname, type: recordType, found, ...problem }),
      ...measured
    })
  })
})

export default Plugin.define({ name: "@kanmon/check-dns", contract: 1, checks: [dns] })
