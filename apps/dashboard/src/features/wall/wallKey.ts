/** The key of a wall screen: in the fragment of the address, which browsers send to no server. */
import { addressOf } from "../../browser/place.ts"

export const keyOf = (hash: string): string | undefined => {
  const key = new URLSearchParams(hash.replace(/^#/, "")).get("key")
  return key === null || key === "" ? undefined : key
}

/** The address to open on the screen. */
export const wallAddress = (key: string): string => addressOf(`/wall#key=${encodeURIComponent(key)}`)
