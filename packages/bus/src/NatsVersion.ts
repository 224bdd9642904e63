/** The oldest nats-server that Kanmon works with. */

/** Its JetStream has what streams, buckets and exports between accounts need. */
export const minimumNats = "2.9.0"

/** At most three numbers: a version that says more, such as `2.12.0-RC.1`, counts by these. */
const numbersOf = (version: string): ReadonlyArray<number> | undefined => {
  const found = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?![\d.])/.exec(version)
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
}

/** Whether a server of this version is too old. An unreadable version is not. */
export const isTooOld = (version: string): boolean => {
  const [found, least] = [numbersOf(version), numbersOf(minimumNats)!]
  if (found === undefined) return false
  const place = least.findIndex((number, index) => number !== found[index])
  return place !== -1 && found[place]! < least[place]!
}
