/** The fields of a dns monitor. Descriptions are shown to users. */
import { DomainName } from "@kanmon/core/Hostname"
import { NameServer } from "@kanmon/core/NameServer"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { Effect, Schema } from "effect"
import { expectationProblem } from "./Records.ts"

export const DnsConfig = Schema.Struct({
  hostname: DomainName.annotate({ description: "Name to look up" }),
  recordType: Schema.Literals(["A", "AAAA", "CNAME", "MX", "TXT"])
    .annotate({ description: "Record type" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("A" as const))),
  expectedValue: Schema.optionalKey(
    Schema.NonEmptyString.check(Schema.isMaxLength(4096)).annotate({
      description: "Value that one of the records must have; without it any record passes"
    })
  ),
  resolver: Schema.optionalKey(
    NameServer.annotate({ description: "Name server to query, ip or ip:port; the probe's own by default" })
  )
})
export type DnsConfig = typeof DnsConfig.Type

/** Rules across fields. */
export const validate = ({ expectedValue, recordType }: DnsConfig): ReadonlyArray<FieldError> => {
  const problem = expectedValue === undefined ? null : expectationProblem(recordType, expectedValue)
  return problem === null ? [] : [{ path: "expectedValue", message: problem }]
}
