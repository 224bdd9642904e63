/**
 * Decides which names may be custom domains. Pure. Names are expected in ASCII form, in lower case and without a trailing
 * dot, as the request's schema and the settings deliver them.
 */
import { getDomain, getPublicSuffix } from "tldts"

/** The names of this installation itself. */
export interface InstallationNames {
  /** Hosts of the API and of the pages, and further ones from the settings; each is reserved with all names below it. */
  readonly reserved: ReadonlyArray<string>
  /** Every page has a name below this domain, so all of them are reserved. */
  readonly pagesDomain: string | undefined
}

const suffixes = { extractHostname: false, validateHostname: false }

/** Whether `name` is `parent`, or lies below it. */
const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`)

/** Whether the name, or one above it, belongs to the installation. */
export const isReserved = (name: string, { pagesDomain, reserved }: InstallationNames): boolean =>
  reserved.some((own) => isWithin(name, own)) || (pagesDomain !== undefined && isWithin(name, pagesDomain))

/** Whether names of the installation lie below this one. Its DNS zone may contain them, so it always needs proof. */
export const isAboveOwn = (name: string, { pagesDomain, reserved }: InstallationNames): boolean =>
  [...reserved, ...(pagesDomain === undefined ? [] : [pagesDomain])].some((own) => isWithin(own, name))

/**
 * Why the name cannot be a custom domain, as a sentence; undefined when it can. Registries' suffixes (`co.uk`) are refused;
 * suffixes of companies (`github.io`) are names like any other, which their owners can prove.
 */
export const refusal = (name: string, own: InstallationNames): string | undefined => {
  if (isReserved(name, own)) return `${name} belongs to this installation. Choose a domain of your own.`
  if (isWithin(name, "localhost")) return `${name} means the visitor's own computer. Choose a domain of your own.`
  if (getPublicSuffix(name, suffixes) === name)
    return `${name} is a public suffix, under which others register their domains. Choose a domain of your own.`
  return undefined
}

/** Whether the name is the apex of a registered domain, where DNS allows no CNAME record (RFC 1034, section 3.6.2). */
export const isApex = (name: string): boolean => registrable(name) === name

/** The registered domain of the name; the name itself if the public suffix list has none. */
export const registrable = (name: string): string => getDomain(name, suffixes) ?? name
