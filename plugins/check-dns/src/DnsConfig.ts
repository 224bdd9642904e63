/** The fields of a dns monitor. Descriptions are shown to users. */
import { DomainName } from "@kanmon/core/Hostname"
import { NameServer } from "@kanmon/core/NameServer"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { filledText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import { expectationProblem } from "./Records.ts"

const Value = filledText(4096)
const maxValues = 20

export const DnsConfig = Schema.Struct({
  hostname: DomainName.annotate({
    description: "Name to look up. For PTR the name of the reverse zone, such as 7.2.0.192.in-addr.arpa"
  }),
  recordType: Schema.Literals(["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SRV", "CAA", "SOA", "PTR"])
    .annotate({ description: "Record type" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("A" as const))),
  expectedValue: Schema.optionalKey(
    Value.annotate({ description: "Value that one of the records must have; without it any record passes" })
  ),
  expectedValues: Schema.optionalKey(
    Schema.Array(Value)
      .check(
        Schema.isMinLength(1, { message: "Expected at least one value" }),
        Schema.isMaxLength(maxValues, { message: `Expected at most ${maxValues} values` })
      )
      .annotate({
        description: "Several values, instead of `expectedValue`; `match` says how many the records must have"
      })
  ),
  match: Schema.optionalKey(
    Schema.Literals(["any", "all", "exactly"]).annotate({
      description:
        "How the records are compared with `expectedValues`: `any` (the default): one of the values is there; `all`: every value is there; `exactly`: every value is there, and no other record"
    })
  ),
  recordContains: Schema.optionalKey(
    Value.annotate({ description: "Text that one of the records must contain, such as a part of a TXT record" })
  ),
  resolver: Schema.optionalKey(
    NameServer.annotate({ description: "Name server to query, ip or ip:port; the probe's own by default" })
  )
})
export type DnsConfig = typeof DnsConfig.Type

/** Rules across fields. */
export const validate = ({
  expectedValue,
  expectedValues = [],
  match,
  recordType
}: DnsConfig): ReadonlyArray<FieldError> => {
  const values = [
    ...(expectedValue === undefined ? [] : [{ path: "expectedValue", value: expectedValue }]),
    ...expectedValues.map((value, index) => ({ path: `expectedValues[${index}]`, value }))
  ]
  return [
    ...values.flatMap(({ path, value }) => {
      const message = expectationProblem(recordType, value)
      return message === null ? [] : [{ path, message }]
    }),
    ...(expectedValue !== undefined && expectedValues.length > 0
      ? [{ path: "expectedValue", message: "Move this value to expectedValues, which has several" }]
      : []),
    ...(match !== undefined && expectedValues.length === 0
      ? [{ path: "expectedValues", message: "Required with match" }]
      : [])
  ]
}
