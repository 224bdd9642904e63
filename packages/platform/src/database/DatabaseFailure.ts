/** Explains a failed connection to PostgreSQL in one line, for the operator who set its address. */
import type { SqlError } from "effect/sql/SqlError"

/** The server was asked for TLS, and has none. */
export const refusesTls = ({ reason }: SqlError): boolean => /Server refused TLS/.test(reason.message)

export const explain = (error: SqlError): string => {
  const { reason } = error
  if (refusesTls(error)) {
    return "the server offers no TLS, and sslmode insists on it (sslmode=disable goes without)"
  }
  const cause = reason.cause instanceof Error ? reason.cause : new Error(reason.message)
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  const words = cause.message === "" ? reason.message : cause.message
  return untrusted.has(code)
    ? `${words}: no trusted authority signed the server's certificate; sslrootcert names the file of its root`
    : `${words}${advice[code] ?? ""}`
}

const advice: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    ": connect under a name that the server's certificate is for, or with sslmode=verify-ca",
  CERT_HAS_EXPIRED: ": the server needs a new certificate"
}

const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])
