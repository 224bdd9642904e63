/** Host names of requests. */

/** The name in a `Host` header: in lower case, without port and trailing dot. Undefined if it cannot be a name. */
export const ofHeader = (header: string | undefined): string | undefined => {
  const name = /^([a-z0-9.-]{1,255}?)\.?(?::\d{1,5})?$/i.exec(header?.trim() ?? "")?.[1]
  return name === undefined || name === "" ? undefined : name.toLowerCase()
}
