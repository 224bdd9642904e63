/** The three functions of `reflect-metadata` that @peculiar/x509's container calls. Imported before it. */
type Metadata = Map<unknown, unknown>

const known = new WeakMap<object, Metadata>()

const own = (key: unknown, target: object): unknown => known.get(target)?.get(key)

const inherited = (key: unknown, target: object | null): unknown =>
  target === null ? undefined : (own(key, target) ?? inherited(key, Object.getPrototypeOf(target) as object | null))

Object.assign(Reflect, {
  getMetadata: inherited,
  getOwnMetadata: own,
  defineMetadata: (key: unknown, value: unknown, target: object) => {
    const metadata: Metadata = known.get(target) ?? new Map<unknown, unknown>()
    known.set(target, metadata.set(key, value))
  },
  // With these, a `reflect-metadata` that another library loads later continues with this state.
  getOwnMetadataKeys: (target: object) => [...(known.get(target)?.keys() ?? [])],
  hasOwnMetadata: (key: unknown, target: object) => known.get(target)?.has(key) === true,
  deleteMetadata: (key: unknown, target: object) => known.get(target)?.delete(key) === true
})
