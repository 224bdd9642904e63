/**
 * Who of a region's probes is there, by the order in which their announcements arrive and no clock at all: a probe is thought
 * gone when this one has heard itself several times since it heard the other. One that is cut off does not hear itself
 * either, and one that was frozen hears first what was said meanwhile, so neither thinks itself alone.
 */
export interface RollCall {
  /** Returns whether this changed who is there. */
  readonly heard: (probe: string) => boolean
  /** Returns whether this changed who is there. */
  readonly left: (probe: string) => boolean
  /** Sorted; this probe is among them. */
  readonly present: () => ReadonlyArray<string>
}

/** `own` thinks others gone after it has heard itself `patience` times without hearing them. */
export const make = (own: string, patience: number): RollCall => {
  /** How often this probe has heard itself since it heard each of the others. */
  const silence = new Map<string, number>()

  const heardSelf = (): boolean => {
    let changed = false
    for (const [other, times] of silence) {
      if (times + 1 >= patience) changed = silence.delete(other)
      else silence.set(other, times + 1)
    }
    return changed
  }

  return {
    heard: (probe) => {
      if (probe === own) return heardSelf()
      const isNew = !silence.has(probe)
      silence.set(probe, 0)
      return isNew
    },
    left: (probe) => silence.delete(probe),
    present: () => [own, ...silence.keys()].sort()
  }
}
