/** The key of a wall screen: in the fragment of the address, which browsers send to no server. */

export const keyOf = (hash: string): string | undefined => {
  const key = new URLSearchParams(hash.replace(/^#/, "")).get("key")
  return key === null || key === "" ? undefined : key
}

/** What to open on the screen. */
export const wallAddress = (key: string): string => `${location.origin}/wall#key=${encodeURIComponent(key)}`
