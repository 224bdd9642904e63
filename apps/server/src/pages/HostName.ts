/** The name that a request was sent to, as certificates and pages know it. */

/** Of a `Host` header: lower case, without port and dot at the end. Undefined when there is none that could be a name. */
export const ofHeader = (header: string | undefined): string | undefined => {
  const name = /^([a-z0-9.-]{1,255}?)\.?(?::\d{1,5})?$/i.exec(header?.trim() ?? "")?.[1]
  return name === undefined || name === "" ? undefined : name.toLowerCase()
}
