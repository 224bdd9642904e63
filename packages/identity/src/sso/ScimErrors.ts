/** Errors in the form of SCIM (RFC 7644, section 3.12), also for what fails before its routes. */
import { errorSchema, scimMediaType, type ScimRefused, type ScimType } from "@kanmon/domain/Scim"
import type { Problem } from "@kanmon/protocol/Problem"
import { HttpServerResponse } from "effect/http"

const bodyOf = (status: number, detail: string, scimType: ScimType | undefined) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail
})

export const toResponse = ({ detail, scimType, status }: ScimRefused): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(bodyOf(status, detail, scimType), {
    status,
    headers: { "content-type": scimMediaType }
  })

/** A problem of the API as an error of SCIM, which knows no 422. */
export const ofProblem = (problem: Problem) => {
  const status = problem.status === 422 ? 400 : problem.status
  const scimType =
    problem.code === "malformed_request"
      ? "invalidSyntax"
      : problem.code === "validation_failed"
        ? "invalidValue"
        : undefined
  const errors = (problem.errors ?? []).map(({ message, path }) => (path === "" ? message : `${path}: ${message}`))
  const detail = errors.length === 0 ? problem.detail : errors.join("; ")
  return { status, mediaType: scimMediaType, body: bodyOf(status, detail, scimType) }
}
