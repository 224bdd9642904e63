/** The credentials of a monitor: the fields, their rules, and the header that carries them. */
import { shownWhen } from "@kanmon/core/ShownWhen"
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { filledText, patternText } from "@kanmon/domain/BoundedText"
import { Schema } from "effect"

const secret = filledText(4096).check(Schema.isPattern(/^\P{Cc}*$/u, { message: "Expected no control characters" }))

const withPassword = shownWhen("authentication", ["basic", "digest"])

export const fields = {
  authentication: Schema.optionalKey(
    Schema.Literals(["basic", "bearer", "digest"]).annotate({
      description:
        "How the check authenticates: `basic` (RFC 7617) and `digest` (RFC 7616: MD5, SHA-256 or SHA-512-256, qop auth) with `username` and `password`, `bearer` (RFC 6750) with `token`. Credentials are only sent to the monitor's own origin"
    })
  ),
  username: Schema.optionalKey(secret.annotate({ description: "User name for `basic` and `digest`", ...withPassword })),
  password: Schema.optionalKey(
    secret.annotate({ description: "Password for `basic` and `digest`. Write-only", ...withPassword })
  ),
  token: Schema.optionalKey(
    patternText(8192, /^[\x21-\x7e]{1,8192}$/, "Expected printable ASCII characters, at most 8192").annotate({
      description: "Token for `bearer`. Write-only",
      ...shownWhen("authentication", ["bearer"])
    })
  )
}

/** The fields as a configuration has them. */
export type Authentication = {
  readonly [Field in keyof typeof fields]?: (typeof fields)[Field]["Type"]
}

const needed = { basic: ["username", "password"], digest: ["username", "password"], bearer: ["token"] } as const
const credentials = ["username", "password", "token"] as const

/** The fields that do not fit each other. */
export const problems = (
  config: Authentication & { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
): ReadonlyArray<FieldError> => {
  const { authentication, headers = {}, url } = config
  if (authentication === undefined)
    return credentials.flatMap((field) =>
      config[field] === undefined ? [] : [{ path: "authentication", message: `Required with ${field}` }]
    )
  const wanted: ReadonlyArray<string> = needed[authentication]
  const { password, username } = new URL(url)
  return [
    ...credentials.flatMap((field): ReadonlyArray<FieldError> => {
      const isThere = config[field] !== undefined
      if (isThere === wanted.includes(field)) return []
      const message = isThere ? `Has no effect with ${authentication}` : `Required with ${authentication}`
      return [{ path: field, message }]
    }),
    ...(authentication === "basic" && config.username?.includes(":") === true
      ? [{ path: "username", message: "Expected no colon: basic authentication separates name and password by it" }]
      : []),
    ...(username === "" && password === ""
      ? []
      : [{ path: "url", message: "Leave the user name and password out of the URL: authentication has its own" }]),
    ...(Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
      ? [{ path: "headers.authorization", message: "Leave this header out: authentication sets it" }]
      : [])
  ]
}

/** The header that is sent from the first request on; digest has none before its challenge. */
export const headerOf = ({
  authentication,
  password = "",
  token = "",
  username = ""
}: Authentication): string | undefined =>
  authentication === "basic"
    ? `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
    : authentication === "bearer"
      ? `Bearer ${token}`
      : undefined
