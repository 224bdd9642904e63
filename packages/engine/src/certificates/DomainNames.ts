/**
 * Which names a status page may have as its custom domain. Pure: names are compared in their ASCII form, in lower case and
 * without a dot at the end, which is how the request's schema and the settings deliver them.
 */
import { getDomain, getPublicSuffix } from "tldts"

/** The names under which this installation itself is reached. */
export interface InstallationNames {
  /** Hosts of the API and of the pages, and further aliases that the operator named; each is reserved with all names below it. */
  readonly reserved: ReadonlyArray<string>
  /** Every page has a name below it already, so none can be taken. */
  readonly pagesDomain: string | undefined
}

const suffixes = { extractHostname: false, validateHostname: false }

/** Whether `name` is `parent`, or lies below it. */
export const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`)

/** Whether the name, or one above it, is the installation's own. */
export const isReserved = (name: string, { pagesDomain, reserved }: InstallationNames): boolean =>
  reserved.some((own) => isWithin(name, own)) || (pagesDomain !== undefined && isWithin(name, pagesDomain))

/** Whether the installation's own names lie below this one: its DNS zone may hold them, so a claim to it needs more proof. */
export const isAboveOwn = (name: string, { pagesDomain, reserved }: InstallationNames): boolean =>
  [...reserved, ...(pagesDomain === undefined ? [] : [pagesDomain])].some((own) => isWithin(own, name))

/**
 * Why no page can have the name, as a sentence; undefined when one can. Suffixes that private companies listed (`github.io`)
 * are their owners' names like others, and need the owner's proof; registries' suffixes (`co.uk`) belong to nobody.
 */
export const refusal = (name: string, own: InstallationNames): string | undefined => {
  if (isReserved(name, own)) return `${name} belongs to this installation. Choose a domain of your own.`
  if (isWithin(name, "localhost")) return `${name} means the visitor's own computer. Choose a domain of your own.`
  if (getPublicSuffix(name, suffixes) === name)
    return `${name} is a public suffix, under which others register their domains. Choose a domain of your own.`
  return undefined
}

/** Whether the name is the top of a registered domain, where DNS allows no CNAME record (RFC 1034, section 3.6.2). */
export const isApex = (name: string): boolean => registrable(name) === name

/** The registered domain that the name belongs to; the name itself where the public suffix list does not tell. */
export const registrable = (name: string): string => getDomain(name, suffixes) ?? name
