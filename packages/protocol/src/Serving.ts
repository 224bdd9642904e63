/**
 * How an endpoint is served: its bounds, and where it answers. The request pipeline reads this of the endpoint that a request is
 * for; no other code decides by paths.
 */
import { Context, type Duration } from "effect"

export interface Serving {
  /** The largest body, in bytes. */
  readonly bodyLimit: number
  /** Whether the handler takes bodies of any length and encoding, and bounds them itself. */
  readonly readsAnyBody: boolean
  /** The time until the answer begins; undefined: that of the installation. */
  readonly timeout: Duration.Input | undefined
  /** Whether it is asked every few seconds. Such requests are logged at debug level. */
  readonly isPolled: boolean
  /** The form of problems: problem details (RFC 9457), or errors of SCIM (RFC 7644, section 3.12). */
  readonly problems: "details" | "scim"
  /** Where it answers besides the address of the installation: outside of its path too, or at every host too. */
  readonly reach: "installation" | "anyPath" | "anyHost"
}

/** Of endpoints that declare nothing else, and of addresses that the contract does not have. */
export const usual: Serving = {
  bodyLimit: 1024 * 1024,
  readsAnyBody: false,
  timeout: undefined,
  isPolled: false,
  problems: "details",
  reach: "installation"
}

/** What an endpoint declares of it. */
export const Declared = Context.Reference<Partial<Omit<Serving, "problems">>>("@kanmon/protocol/Serving/Declared", {
  defaultValue: () => ({})
})
