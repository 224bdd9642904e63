/**
 * How an endpoint is served: its bounds, and where it answers. The request pipeline reads this of the endpoint that a request is
 * for; no other code decides by paths.
 */
import { Context, type Duration } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

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
  /**
   * Whether browsers may post forms of other sites here. The origin is not checked, so only the content of the form may
   * prove anything.
   */
  readonly takesForeignForms: boolean
  /** Where it answers besides the address of the installation: outside of its path too, or at every host too. */
  readonly reach: "installation" | "anyPath" | "anyHost"
}

/** The defaults, also for addresses outside the contract. */
export const usual: Serving = {
  bodyLimit: 1024 * 1024,
  readsAnyBody: false,
  timeout: undefined,
  isPolled: false,
  problems: "details",
  takesForeignForms: false,
  reach: "installation"
}

/** The settings that an endpoint declares. */
export const Declared = Context.Reference<Partial<Omit<Serving, "problems">>>("@kanmon/protocol/Serving/Declared", {
  defaultValue: () => ({})
})

/** How `AddressLimits` counts the requests of a network address to an endpoint. */
export interface Counting {
  /**
   * As requests; or as attempts to sign in, which try secrets, hash passwords or send mail: `attempts` also by the e-mail address of
   * the body, if it has one; `passwords` by it in any case; `codes` of devices, which can be guessed.
   */
  readonly as: "reads" | "writes" | "attempts" | "passwords" | "codes"
  /** Whether failed attempts on an account delay the next ones, from all networks together. */
  readonly delays?: boolean
  /** Whether a refusal is a page, for people who followed a link. */
  readonly refusesByPage?: boolean
  /** Counted apart from the other endpoints. */
  readonly apart?: string
}

export const Counted = Context.Reference<Counting>("@kanmon/protocol/Serving/Counted", {
  defaultValue: () => ({ as: "reads" })
})

/**
 * On an endpoint with a handler that reads the parts itself: the same endpoint with the parts, as the contract
 * describes it.
 */
export class Described extends Context.Service<Described, HttpApiEndpoint.Top>()(
  "@kanmon/protocol/Serving/Described"
) {}
