/** Maps error codes of Node, c-ares and `getaddrinfo` to lookup failures. */
import { ResolveFailed } from "../Resolver.ts"

export const failed = (hostname: string, what: string, cause: unknown): ResolveFailed => {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ""
  const [reason, message] = meaning(code, hostname, what)
  return new ResolveFailed({ reason, message })
}

const meaning = (code: string, hostname: string, what: string): readonly [ResolveFailed["reason"], string] => {
  switch (code) {
    case "ENOTFOUND":
      return ["dns_nxdomain", `The name ${hostname} does not exist`]
    case "ENODATA":
    case "EAI_NODATA":
      return ["dns_no_records", `${hostname} has no ${what} record`]
    case "ESERVFAIL":
      return ["dns_servfail", `The name servers of ${hostname} failed (SERVFAIL)`]
    case "EAI_AGAIN":
      return ["dns_servfail", `The name ${hostname} could not be resolved temporarily`]
    case "EREFUSED":
      return ["dns_refused", `The name server refused to answer for ${hostname}`]
    case "ECONNREFUSED":
      return ["dns_refused", `The name server does not accept queries`]
    case "ETIMEOUT":
      return ["dns_timeout", `No name server answered for ${hostname} in time`]
    case "EBADNAME":
    case "EBADQUERY":
      return ["dns_nxdomain", `${hostname} is not a valid DNS name`]
    default:
      return ["dns_failed", `Looking up ${hostname} failed (${code === "" ? "for no known reason" : code})`]
  }
}
