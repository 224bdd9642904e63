/** Concurrent requests may overtake each other, so the last one requested would not win. */

const last = new Map<string, Promise<unknown>>()

/** Acts when all that was asked for before on any of these things has ended, well or not. */
export const inOrder = <A>(things: ReadonlyArray<string>, act: () => Promise<A>): Promise<A> => {
  const own = Promise.allSettled(things.map((thing) => last.get(thing))).then(act)
  for (const thing of things) last.set(thing, own)
  const forget = () => {
    for (const thing of things) if (last.get(thing) === own) last.delete(thing)
  }
  void own.then(forget, forget)
  return own
}
