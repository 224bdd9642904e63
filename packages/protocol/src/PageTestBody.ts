/** The body that starts a page test. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { Severity } from "@kanmon/domain/Severity"
import { Effect, type Result, Schema } from "effect"
import * as Body from "./Body.ts"

export const pageTestFields = {
  severity: Severity.annotate({ description: "The pages are those of an alert of this severity" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("critical" as const))
  )
}

const PageTestRequest = Schema.Struct(pageTestFields)
export type PageTestRequest = typeof PageTestRequest.Encoded

/** Decodes a body; every broken field is named. */
export const decodePageTest: (body: unknown) => Result.Result<typeof PageTestRequest.Type, InvalidFields> = Body.fit(
  decodeStrict(PageTestRequest)
)
